// Every implementation against the definition. SPDX-License-Identifier: MIT
#include <cstring>

#include "dispatch/kernel.h"
#include "onesum/onesum.h"

using namespace onesum::dispatch;

namespace {

constexpr std::size_t longest = 4096;
constexpr std::size_t margin = 64;

// RFC 1071 to the letter: 16-bit words one by one, each carry added where it arises.
std::uint32_t definition(const unsigned char *data, std::size_t size, std::uint32_t seed) {
    std::uint32_t sum = (seed & 0xffff) + (seed >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    for (std::size_t i = 0; i < size; i += 2) {
        const unsigned char pair[2] = {data[i], i + 1 < size ? data[i + 1] : static_cast<unsigned char>(0)};
        std::uint16_t word;
        std::memcpy(&word, pair, 2);
        sum += word;
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return sum;
}

// A generator of test bytes (xorshift, Marsaglia 2003).
std::uint32_t next(std::uint32_t &state) {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

bool right(const Kernel &kernel, const unsigned char *data, std::size_t size, std::uint32_t seed) {
    const std::uint16_t expected = onesum_fold(definition(data, size, seed));
    if (onesum_fold(kernel.sum(data, size, seed)) != expected) return false;
    unsigned char copy[longest + 2 * margin];
    std::memset(copy, 0x5a, size + 2 * margin);
    const std::size_t at = margin - size % 7;
    if (onesum_fold(kernel.copy(copy + at, data, size, seed)) != expected) return false;
    return std::memcmp(copy + at, data, size) == 0 && copy[at - 1] == 0x5a && copy[at + size] == 0x5a;
}

bool right(const Kernel &kernel) {
    unsigned char data[longest + margin];
    std::uint32_t state = 0x9e3779b9;
    for (int pattern = 0; pattern < 3; ++pattern) {
        for (unsigned char &byte : data)
            byte = pattern == 0 ? 0x00 : pattern == 1 ? 0xff : static_cast<unsigned char>(next(state));
        // Every size of a packet at one alignment that changes with it, then some long ones at every alignment.
        for (std::size_t size = 0; size <= 320; ++size)
            if (!right(kernel, data + size % margin, size, pattern == 0 ? 0 : next(state))) return false;
        for (std::size_t offset = 0; offset < margin; ++offset)
            if (!right(kernel, data + offset, longest - offset, next(state))) return false;
    }
    return true;
}

}  // namespace

extern "C" const char *onesum_selftest() {
    const Features have = probe();
    for (const Kernel &kernel : kernels)
        if (kernel.runs_on(have) && !right(kernel)) return kernel.name;
    return nullptr;
}
