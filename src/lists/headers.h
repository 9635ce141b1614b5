// Many IPv4 headers in one call. SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "dispatch/cpu.h"
#include "onesum/onesum.h"

namespace onesum::lists {

// Where the headers are: each at its own pointer, or one every `stride` bytes.
struct AtPointers {
    const void *const *list;
    const char *operator[](std::size_t i) const { return static_cast<const char *>(list[i]); }
    AtPointers from(std::size_t i) const { return {list + i}; }
};
struct AtStride {
    const char *first;
    std::size_t stride;
    const char *operator[](std::size_t i) const { return first + i * stride; }
    AtStride from(std::size_t i) const { return {first + i * stride, stride}; }
};

// What is asked of each header.
enum class Ask {
    result,  // onesum_ipv4_header() of as many words as its IHL says; 0xffff where that is below 5
    check    // the right value of its checksum field; what is there where the IHL is below 5
};

// A way to sum many headers: stores the answer for each of `count` headers. No byte of a header is read but the
// 20 that each has, and those after them that its IHL counts.
struct Method {
    dispatch::Features needs;
    void (*at_pointers)(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers);
    void (*at_stride)(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers);
};

// This architecture's methods, best first; the last one needs nothing.
extern const std::span<const Method> methods;

// Those of x86-64, each overloaded for the two ways to be told where the headers are.
void headers_avx512(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers);
void headers_avx512(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers);
void headers_avx2(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers);
void headers_avx2(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers);

// In bytes 8 to 15 of a header, the bits that count: not those of the checksum field, bytes 10 and 11, where
// its right value is asked for. That is never 0xffff: the IHL is not 0, so the sum of the other bytes is not.
constexpr std::uint64_t counted(Ask ask) {
    constexpr unsigned char without_check[8] = {0xff, 0xff, 0, 0, 0xff, 0xff, 0xff, 0xff};
    return ask == Ask::check ? std::bit_cast<std::uint64_t>(without_check) : ~std::uint64_t{0};
}

// One header: for a method's last ones, and those with options.
inline std::uint16_t answer(const char *header, Ask ask) {
    const unsigned ihl = static_cast<unsigned char>(header[0]) & 0x0f;
    if (ihl < 5) {
        std::uint16_t stored;
        std::memcpy(&stored, header + 10, sizeof stored);
        return ask == Ask::check ? stored : 0xffff;
    }
    std::uint32_t sum = onesum_fold64(onesum_add64(
        onesum_load64(header), onesum_load64(header + 8) & counted(ask), onesum_load32(header + 16)));
    if (ihl != 5) sum = onesum_partial(header + 20, (ihl - 5) * 4, sum);
    return onesum_fold(sum);
}

}  // namespace onesum::lists
