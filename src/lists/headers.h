// Many IPv4 headers in one call. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dispatch/cpu.h"

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

// A way to answer for many headers: stores the answer for each of `count` of them (nullptr: nowhere), and
// returns how many results are not 0. No byte of a header is read but the 20 that each has, and those after
// them that its IHL counts.
struct Method {
    dispatch::Features needs;
    std::size_t (*at_pointers)(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers);
    std::size_t (*at_stride)(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers);
};

// This architecture's methods, best first; the last one needs nothing.
extern const std::span<const Method> methods;

// Those of x86-64, each overloaded for the two ways to be told where the headers are.
std::size_t headers_avx512(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers);
std::size_t headers_avx512(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers);
std::size_t headers_avx2(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers);
std::size_t headers_avx2(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers);

}  // namespace onesum::lists
