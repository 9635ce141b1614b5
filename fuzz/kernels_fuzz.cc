// Every implementation, and every way to sum in pieces, against the byte-wise definition.
// SPDX-License-Identifier: MIT
//
// The first 8 bytes are a seed and choices, the rest is the data. A difference ends the process.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "dispatch/kernel.h"
#include "onesum/onesum.h"
#include "reference.h"

namespace {

void must(bool right) {
    if (!right) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *input, std::size_t size) {
    if (size < 8) return 0;
    std::uint32_t seed, choices;
    std::memcpy(&seed, input, 4);
    std::memcpy(&choices, input + 4, 4);
    // At any alignment, and with as many bytes as are left behind it.
    const std::size_t offset = choices % 64;
    input += 8, size -= 8;
    std::vector<std::uint8_t> room(size + offset + 64), copy(size + 128);
    if (size) std::memcpy(room.data() + offset, input, size);
    const std::uint8_t *data = room.data() + offset;
    const std::uint32_t expected = reference::partial(data, size, seed);

    // A forced implementation is tried alone: a sanitizer that does not see what assembly writes wants that.
    const auto have = onesum::dispatch::probe();
    const bool alone = onesum_forced_status() == ONESUM_FORCED_ACTIVE;
    for (const onesum::dispatch::Kernel &kernel : onesum::dispatch::kernels) {
        if (!kernel.runs_on(have) || (alone && std::strcmp(kernel.name, onesum_implementation()) != 0))
            continue;
        must(reference::canonical(kernel.sum(data, size, seed)) == expected);
        std::fill(copy.begin(), copy.end(), static_cast<std::uint8_t>(0xa5));
        std::uint8_t *dst = copy.data() + (choices >> 6) % 64;
        must(reference::canonical(kernel.copy(dst, data, size, seed)) == expected);
        must(std::equal(data, data + size, dst));
        must(std::all_of(copy.data(), dst, [](std::uint8_t byte) { return byte == 0xa5; }));
        must(
            std::all_of(dst + size, copy.data() + copy.size(), [](std::uint8_t byte) { return byte == 0xa5; }));
    }

    // In pieces, whose lengths a generator draws (xorshift, Marsaglia 2003).
    std::uint32_t random = choices | 1;
    std::vector<onesum_buffer> pieces;
    onesum_state state;
    onesum_init(&state, seed);
    std::uint32_t blocks = seed;
    for (std::size_t at = 0; at < size || pieces.empty();) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        const std::size_t piece = std::min<std::size_t>(random % 3 == 0 ? random % 5 : random % 300, size - at);
        pieces.push_back({data + at, piece});
        onesum_update(&state, data + at, piece);
        blocks = onesum_block_add(blocks, onesum_partial(data + at, piece, 0), at);
        at += piece;
    }
    must(reference::canonical(onesum_final(&state)) == expected);
    must(reference::canonical(blocks) == expected);
    must(reference::canonical(onesum_partial_iov(pieces.data(), pieces.size(), 0, size, seed)) == expected);
    must(onesum_fold(expected) == onesum_fold(onesum_partial(data, size, seed)));
    const std::size_t from = size == 0 ? 0 : choices % size;
    must(reference::canonical(onesum_partial_iov(pieces.data(), pieces.size(), from, size - from, seed)) ==
         reference::partial(data + from, size - from, seed));
    return 0;
}
