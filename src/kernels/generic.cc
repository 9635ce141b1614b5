// Portable C++: any byte order, 32 or 64 bits. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "onesum/onesum.h"

namespace {

using std::size_t;
using std::uint32_t;
using std::uint64_t;

template <typename Word>
Word load(const unsigned char *at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

// Copying, a word is stored as soon as it is loaded; summing alone, nothing is.
template <bool copying, typename Word>
uint64_t take(const unsigned char *src, unsigned char *dst, size_t at) {
    const Word word = load<Word>(src + at);
    if constexpr (copying) std::memcpy(dst + at, &word, sizeof word);
    return word;
}

constexpr size_t block_size = size_t{1} << 30;

// The exact sum of at most block_size bytes as words of 32 bits and a tail: at most 2^28 words below 2^32, so
// below 2^60. Two accumulators take a 64-bit word as its low and high half; they are independent chains.
template <bool copying>
uint64_t sum_block(const unsigned char *src, unsigned char *dst, size_t size) {
    uint64_t even = 0, odd = 0;
    size_t at = 0;
    for (; size - at >= 32; at += 32) {
        for (size_t word = 0; word < 32; word += 8) {
            even += take<copying, uint32_t>(src, dst, at + word);
            odd += take<copying, uint32_t>(src, dst, at + word + 4);
        }
    }
    for (; size - at >= 4; at += 4) even += take<copying, uint32_t>(src, dst, at);
    if (size & 2) {
        odd += take<copying, std::uint16_t>(src, dst, at);
        at += 2;
    }
    if (size & 1) {
        const unsigned char last[2] = {src[at], 0};
        if constexpr (copying) dst[at] = src[at];
        odd += load<std::uint16_t>(last);
    }
    return even + odd;
}

template <bool copying>
uint32_t sum_all(const unsigned char *src, unsigned char *dst, size_t size, uint32_t seed) {
    for (; size > block_size; size -= block_size) {
        seed = onesum_fold64(seed + sum_block<copying>(src, dst, block_size));
        src += block_size;
        if constexpr (copying) dst += block_size;
    }
    return onesum_fold64(seed + sum_block<copying>(src, dst, size));
}

}  // namespace

extern "C" {

uint32_t onesum_sum_generic(const void *data, size_t size, uint32_t seed) {
    return sum_all<false>(static_cast<const unsigned char *>(data), nullptr, size, seed);
}

uint32_t onesum_copy_generic(void *dst, const void *src, size_t size, uint32_t seed) {
    return sum_all<true>(static_cast<const unsigned char *>(src), static_cast<unsigned char *>(dst), size,
                         seed);
}
}
