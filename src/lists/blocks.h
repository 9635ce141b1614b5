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

// A fold stores the checksums of a block of 64-bit one's complement sums, and knows whether any of all that it
// has stored was not 0: to ask that of each block would cost as much as the sums of half a dozen headers. Its
// ask_plain() is the one below, for the processor that it is made for.
inline constexpr std::size_t block = 16;

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

// Eight headers from `at` on, by one, three, five and seven strides.
template <Ask ask>
[[gnu::always_inline]] inline bool sum_eight(const char *at, std::size_t one, std::size_t three,
                                             std::size_t five, std::size_t seven, std::uint64_t *sums) {
    return sum_indexed<ask, 1>(at, 0, sums) && sum_indexed<ask, 1>(at, one, sums + 1) &&
           sum_indexed<ask, 2>(at, one, sums + 2) && sum_indexed<ask, 1>(at, three, sums + 3) &&
           sum_indexed<ask, 4>(at, one, sums + 4) && sum_indexed<ask, 1>(at, five, sums + 5) &&
           sum_indexed<ask, 2>(at, three, sums + 6) && sum_indexed<ask, 1>(at, seven, sums + 7);
}

template <Ask ask>
[[gnu::always_inline]] inline bool sum_block(AtStride headers, std::uint64_t *sums) {
    const std::size_t one = headers.stride, three = 3 * one, five = 5 * one, seven = 7 * one;
    return sum_eight<ask>(headers.first, one, three, five, seven, sums) &&
           sum_eight<ask>(headers.first + 8 * one, one, three, five, seven, sums + 8);
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

// Headers whose lines share so few sets of a cache that they fall out of it. All then depends on what the
// processor foresees, which is the addresses of an instruction that loads each of them, not one in sixteen.
template <typename Headers>
struct Crowded : Headers {
    static constexpr std::size_t apart = 2048;  // a multiple of this
    Crowded from(std::size_t i) const { return {Headers::from(i)}; }
};

template <Ask ask, typename Headers>
bool sum_block(Crowded<Headers> headers, std::uint64_t *sums) {
    std::size_t count = block;
    asm("" : "+r"(count));  // else the compiler makes sixteen instructions of the one
    return sum_headers<ask, Headers>(headers, count, sums);
}

inline std::size_t count_not_zero(const std::uint16_t *answers, std::size_t count) {
    std::size_t not_zero = 0;
    for (std::size_t i = 0; i < count; ++i) not_zero += answers[i] != 0;
    return not_zero;
}

// One header after the other.
template <Ask ask, typename Headers>
[[gnu::noinline]] bool ask_one_by_one(Headers headers, std::size_t count, std::uint16_t *answers) {
    std::uint16_t any = 0;
    for (std::size_t i = 0; i < count; ++i) any |= answers[i] = answer<ask>(headers[i]);
    return any != 0;
}

// Fewer headers than a block. Returns, as those below do, whether any of the answers is not 0.
template <Ask ask, typename Fold, typename Headers>
[[gnu::noinline]] bool ask_last(Headers headers, std::size_t count, std::uint16_t *answers) {
    alignas(64) std::uint64_t sums[block];
    std::fill(sums, sums + block, ~std::uint64_t{0});  // the checksums of those that are absent are 0
    if (!sum_headers<ask>(headers, count, sums)) return ask_one_by_one<ask>(headers, count, answers);
    std::uint16_t checks[block];
    Fold fold;
    fold(sums, checks);
    std::memcpy(answers, checks, count * sizeof *answers);
    return fold.any();
}

// Blocks of headers without options, from the first one on: stops before a block that is not of such, and adds
// to `done` how many there were. A block is folded after the next one is summed: a vector cannot be loaded
// before its parts are out of the store buffer.
template <Ask ask, typename Fold, typename Headers>
[[gnu::always_inline]] inline bool ask_plain(Headers headers, std::size_t blocks, std::uint16_t *answers,
                                             std::size_t &done) {
    alignas(64) std::uint64_t sums[2][block];
    Fold fold;
    std::size_t i = 0;
    for (; i < blocks && sum_block<ask>(headers, sums[i % 2]); ++i, headers = headers.from(block))
        if (i != 0) {
            fold(sums[(i - 1) % 2], answers);
            answers += block;
        }
    if (i != 0) fold(sums[(i - 1) % 2], answers);
    done += i;
    return fold.any();
}

template <Ask ask, typename Fold, typename Headers>
bool ask_all(Headers headers, std::size_t count, std::uint16_t *answers) {
    bool any = false;
    const std::size_t blocks = count / block;
    for (std::size_t done = 0; done != blocks;) {
        any |= Fold::template ask_plain<ask>(headers.from(done * block), blocks - done, answers + done * block,
                                             done);
        if (done == blocks) break;
        any |= ask_one_by_one<ask>(headers.from(done * block), block, answers + done * block);
        ++done;
    }
    const std::size_t whole = blocks * block;
    if (count != whole) any |= ask_last<ask, Fold>(headers.from(whole), count - whole, answers + whole);
    return any;
}

// What a Method does.
template <typename Fold, typename Headers>
std::size_t ask_many(Headers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    if (ask == Ask::check) {
        ask_all<Ask::check, Fold>(headers, count, answers);
        return 0;
    }
    if (answers)
        return ask_all<Ask::result, Fold>(headers, count, answers) ? count_not_zero(answers, count) : 0;
    constexpr std::size_t many = 32 * block;
    std::uint16_t unwanted[many];
    std::size_t not_zero = 0;
    for (std::size_t i = 0; i < count; i += many) {
        const std::size_t now = std::min(count - i, many);
        if (ask_all<Ask::result, Fold>(headers.from(i), now, unwanted))
            not_zero += count_not_zero(unwanted, now);
    }
    return not_zero;
}

template <typename Fold>
std::size_t ask_pointers(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    // The first two tell: pools of buffers are all of one size.
    const auto address = [headers](std::size_t i) { return reinterpret_cast<std::uintptr_t>(headers[i]); };
    if (count >= block && (address(1) - address(0)) % Crowded<AtPointers>::apart == 0)
        return ask_many<Fold>(Crowded<AtPointers>{headers}, count, ask, answers);
    return ask_many<Fold>(headers, count, ask, answers);
}
template <typename Fold>
std::size_t ask_stride(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    if (headers.stride % Crowded<AtStride>::apart == 0)
        return ask_many<Fold>(Crowded<AtStride>{headers}, count, ask, answers);
    return ask_many<Fold>(headers, count, ask, answers);
}

}  // namespace onesum::lists
