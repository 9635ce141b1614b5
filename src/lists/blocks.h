// The way through many IPv4 headers, whatever folds their sums. SPDX-License-Identifier: MIT
//
// The words of the headers are added one header after the other in general registers, which takes fewer
// instructions than to bring 20 bytes of each into vectors. Folding the sums to 16 bits, which would take
// longer than that, is done for a block of them, in vectors where there are some.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "lists/headers.h"
#include "onesum/onesum.h"

namespace onesum::lists {

// A fold stores the checksums of as many 64-bit one's complement sums as there are to a block, and returns
// whether any of them is not 0.
inline constexpr std::size_t block = 32;

inline std::uint16_t load16(const char *at) {
    std::uint16_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

inline unsigned first_byte(std::uint64_t word) {
    return std::endian::native == std::endian::little ? word & 0xff : static_cast<unsigned>(word >> 56);
}

// The one's complement sum of what counts of a header of 20 bytes: three words, of which the first is given.
// The checksum field, bytes 10 and 11, is left out where its right value is asked for. That is then never
// 0xffff: the IHL is not 0, so the sum of the other bytes is not.
template <Ask ask>
inline std::uint64_t sum_header(const char *header, std::uint64_t first) {
    constexpr bool whole = ask == Ask::result;
    const char *second = header + (whole ? 8 : 12);
    const std::uint64_t third = whole ? onesum_load32(header + 16) : load16(header + 8);
#if defined(__x86_64__)
    // onesum_add64(), but for the second word, which needs no register.
    asm("addq %1, %0\n\tadcq %2, %0\n\tadcq $0, %0"
        : "+&r"(first)
        : "m"(*reinterpret_cast<const char(*)[8]>(second)), "r"(third)
        : "cc");
    return first;
#else
    return onesum_add64(first, onesum_load64(second), third);
#endif
}

// One header: for the last ones, and those with options.
template <Ask ask>
std::uint16_t answer(const char *header) {
    const unsigned ihl = static_cast<unsigned char>(header[0]) & 0x0f;
    if (ihl < 5) return ask == Ask::check ? load16(header + 10) : 0xffff;
    std::uint32_t sum = onesum_fold64(sum_header<ask>(header, onesum_load64(header)));
    if (ihl != 5) sum = onesum_partial(header + 20, (ihl - 5) * 4, sum);
    return onesum_fold(sum);
}

inline constexpr unsigned char version_and_ihl = 0x45;

// The sums of `count` headers. False if one of them has options, or is no header.
template <Ask ask, typename Headers>
[[gnu::noinline]] bool sum_headers(Headers headers, std::size_t count, std::uint64_t *sums) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t first = onesum_load64(headers[i]);
        if (first_byte(first) != version_and_ihl) return false;
        sums[i] = sum_header<ask>(headers[i], first);
    }
    return true;
}

#if defined(__x86_64__)

// The sum of the header at base + scale * index. By hand, because the compiler would rather have a pointer to
// each header of a turn, and add to all of them.
template <Ask ask, int scale>
[[gnu::always_inline]] inline bool sum_indexed(const char *base, std::size_t index, std::uint64_t *sum) {
    std::uint64_t first, third;
    if constexpr (ask == Ask::check)
        asm("movq (%[base],%[index],%c[scale]), %[first]\n\tmovzwl 8(%[base],%[index],%c[scale]), %k[third]"
            : [first] "=&r"(first), [third] "=r"(third)
            : [base] "r"(base), [index] "r"(index), [scale] "i"(scale)
            : "memory");
    else
        asm("movq (%[base],%[index],%c[scale]), %[first]\n\tmovl 16(%[base],%[index],%c[scale]), %k[third]"
            : [first] "=&r"(first), [third] "=r"(third)
            : [base] "r"(base), [index] "r"(index), [scale] "i"(scale)
            : "memory");
    if (first_byte(first) != version_and_ihl) [[unlikely]]
        return false;
    asm("addq %c[second](%[base],%[index],%c[scale]), %[first]\n\tadcq %[third], %[first]\n\tadcq $0, %[first]"
        : [first] "+&r"(first)
        : [third] "r"(third), [base] "r"(base), [index] "r"(index), [scale] "i"(scale),
          [second] "i"(ask == Ask::check ? 12 : 8)
        : "cc", "memory");
    *sum = first;
    return true;
}

template <Ask ask>
[[gnu::always_inline]] inline bool sum_block(AtStride headers, std::uint64_t *sums) {
    // So far apart that all depends on the processor's foreseeing them, which a turn of eight hides from it.
    if (headers.stride >= 1024) return sum_headers<ask>(headers, block, sums);
    const char *at = headers.first;
    const std::size_t one = headers.stride, three = 3 * one, five = 5 * one, seven = 7 * one;
    for (std::size_t i = 0; i < block; i += 8, at += 8 * one, sums += 8) {
        const bool summed =
            sum_indexed<ask, 1>(at, 0, sums) && sum_indexed<ask, 1>(at, one, sums + 1) &&
            sum_indexed<ask, 2>(at, one, sums + 2) && sum_indexed<ask, 1>(at, three, sums + 3) &&
            sum_indexed<ask, 4>(at, one, sums + 4) && sum_indexed<ask, 1>(at, five, sums + 5) &&
            sum_indexed<ask, 2>(at, three, sums + 6) && sum_indexed<ask, 1>(at, seven, sums + 7);
        if (!summed) return false;
    }
    return true;
}

#else

template <Ask ask>
bool sum_block(AtStride headers, std::uint64_t *sums) {
    return sum_headers<ask>(headers, block, sums);
}

#endif

template <Ask ask>
bool sum_block(AtPointers headers, std::uint64_t *sums) {
    return sum_headers<ask>(headers, block, sums);
}

// One header after the other. Apart, to leave the registers to the blocks.
template <Ask ask, typename Headers>
[[gnu::noinline]] std::size_t ask_one_by_one(Headers headers, std::size_t count, std::uint16_t *answers) {
    std::size_t not_zero = 0;
    for (std::size_t i = 0; i < count; ++i) {
        answers[i] = answer<ask>(headers[i]);
        not_zero += answers[i] != 0;
    }
    return not_zero;
}

inline std::size_t count_not_zero(const std::uint16_t *answers) {
    std::uint16_t count = 0;  // 16 bits, like the answers: vectors then hold as many counts
    for (std::size_t i = 0; i < block; ++i) count = static_cast<std::uint16_t>(count + (answers[i] != 0));
    return count;
}

// Fewer headers than a block.
template <Ask ask, typename Fold, typename Headers>
std::size_t ask_last(const Fold &fold, Headers headers, std::size_t count, std::uint16_t *answers) {
    alignas(64) std::uint64_t sums[block];
    if (!sum_headers<ask>(headers, count, sums)) return ask_one_by_one<ask>(headers, count, answers);
    std::fill(sums + count, sums + block, ~std::uint64_t{0});  // their checksums are 0
    std::uint16_t checks[block];
    fold(sums, checks);
    std::memcpy(answers, checks, count * sizeof *answers);
    return count_not_zero(checks);
}

template <Ask ask, typename Fold, typename Headers>
[[gnu::always_inline]] inline std::size_t ask_in_blocks(const Fold &fold, Headers headers, std::size_t count,
                                                        std::uint16_t *answers) {
    // A block is folded after the next one is summed: a vector cannot be loaded before its parts are out of the
    // store buffer.
    alignas(64) std::uint64_t sums[2][block];
    unsigned now = 0;
    std::uint16_t unwanted[block];
    std::uint16_t *to = answers ? answers : unwanted;
    const std::size_t step = answers ? block : 0;
    std::uint16_t *waiting = nullptr;  // where the checksums of the block before belong
    std::size_t not_zero = 0;
    const auto fold_before = [&] {
        if (waiting && fold(sums[now ^ 1], waiting) && ask == Ask::result) not_zero += count_not_zero(waiting);
    };
    for (; count >= block; count -= block, now ^= 1, headers = headers.from(block), to += step) {
        const bool summed = sum_block<ask>(headers, sums[now]);
        fold_before();
        waiting = to;
        if (!summed) [[unlikely]] {
            waiting = nullptr;
            not_zero += ask_one_by_one<ask>(headers, block, to);
        }
    }
    fold_before();
    return count == 0 ? not_zero : not_zero + ask_last<ask>(fold, headers, count, to);
}

template <typename Fold, typename Headers>
[[gnu::always_inline]] inline std::size_t ask_in_blocks(const Fold &fold, Headers headers, std::size_t count,
                                                        Ask ask, std::uint16_t *answers) {
    return ask == Ask::check ? ask_in_blocks<Ask::check>(fold, headers, count, answers)
                             : ask_in_blocks<Ask::result>(fold, headers, count, answers);
}

}  // namespace onesum::lists
