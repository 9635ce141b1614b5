// Many IPv4 headers in one call. SPDX-License-Identifier: MIT
#pragma once

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

// One header: for a method's last ones, and those with options.
inline std::uint16_t answer(const char *header, Ask ask) {
    const unsigned ihl = static_cast<unsigned char>(header[0]) & 0x0f;
    std::uint16_t stored;
    std::memcpy(&stored, header + 10, sizeof stored);
    if (ihl < 5) return ask == Ask::check ? stored : 0xffff;
    const std::uint16_t result = onesum_ipv4_header(header, ihl);
    if (ask == Ask::result) return result;
    // The field taken out of the sum, which it adds to the complement. The sum of the other bytes is not 0, as
    // the IHL is not, so 0xffff is not its complement: 0 is the same value as a checksum is stored.
    const std::uint16_t check = static_cast<std::uint16_t>(~onesum_fold(onesum_add(result, stored)));
    return check == 0xffff ? 0 : check;
}

}  // namespace onesum::lists
