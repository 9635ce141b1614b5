// Every kernel's two functions against their contract. SPDX-License-Identifier: MIT
//
// Run once for each row of kernels.def, forced by name. The calls go to the row itself: nothing here passes
// through the dispatch. A failure says the size and the place; it stops the test case, as thousands would
// follow.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "dispatch/kernel.h"
#include "onesum/onesum.h"
#include "reference.h"

using onesum::dispatch::Kernel;
using reference::canonical;
using reference::Guarded;
using reference::Pattern;

namespace {

const Kernel &kernel() { return *onesum::dispatch::find(onesum::dispatch::kernels, onesum_implementation()); }

constexpr std::size_t longest = 4096;

std::uint32_t any_seed(std::mt19937 &random) {
    // Now and then the values at which carries end.
    switch (random() % 8) {
        case 0:
            return 0;
        case 1:
            return 0xffffffff;
        case 2:
            return 0xffff;
        default:
            return static_cast<std::uint32_t>(random());
    }
}

void check_sum(const unsigned char *data, std::size_t size, std::uint32_t seed, std::uint64_t exact) {
    const std::uint32_t sum = kernel().sum(data, size, seed);
    CAPTURE(size);
    CAPTURE(reinterpret_cast<std::uintptr_t>(data) % 4096);
    CAPTURE(seed);
    REQUIRE(canonical(sum) == canonical(exact + seed));
    if (size == 0) REQUIRE(sum == seed);
}

// `dst` lies in a buffer of bytes 0xa5 and has `before` and `after` more of them around it.
void check_copy(unsigned char *dst, std::size_t before, std::size_t after, const unsigned char *src,
                std::size_t size, std::uint32_t seed, std::uint64_t exact) {
    std::fill(dst - before, dst + size + after, static_cast<unsigned char>(0xa5));
    const std::uint32_t sum = kernel().copy(dst, src, size, seed);
    CAPTURE(size);
    CAPTURE(reinterpret_cast<std::uintptr_t>(src) % 4096);
    CAPTURE(reinterpret_cast<std::uintptr_t>(dst) % 4096);
    CAPTURE(seed);
    REQUIRE(canonical(sum) == canonical(exact + seed));
    REQUIRE((size == 0 || std::memcmp(dst, src, size) == 0));
    const auto untouched = [](unsigned char byte) { return byte == 0xa5; };
    REQUIRE(std::all_of(dst - before, dst, untouched));
    REQUIRE(std::all_of(dst + size, dst + size + after, untouched));
    if (size == 0) REQUIRE(sum == seed);
}

}  // namespace

TEST_CASE("a sum of every size up to a page, flush against an unreadable page on each side") {
    std::mt19937 random(1);
    const Guarded front(longest), back(longest);
    for (const Pattern pattern : reference::patterns) {
        reference::fill(front.begin(), front.size(), pattern, random);
        reference::fill(back.begin(), back.size(), pattern, random);
        std::uint64_t exact = 0;
        for (std::size_t size = 0; size <= longest; ++size) {
            if (size != 0) exact += reference::byte_value(front.begin()[size - 1], size - 1);
            check_sum(front.begin(), size, any_seed(random), exact);
            check_sum(back.last(size), size, any_seed(random), reference::exact_sum(back.last(size), size));
        }
    }
}

TEST_CASE("a sum at every alignment to a line, at the beginning and at the end of a page") {
    std::mt19937 random(2);
    const Guarded memory(longest);
    for (const Pattern pattern : reference::patterns) {
        reference::fill(memory.begin(), memory.size(), pattern, random);
        for (std::size_t offset = 0; offset < 64; ++offset) {
            std::uint64_t exact = 0;
            for (std::size_t size = 0; size <= 640; ++size) {
                const unsigned char *data = memory.begin() + offset;
                if (size != 0) exact += reference::byte_value(data[size - 1], size - 1);
                check_sum(data, size, any_seed(random), exact);
                const unsigned char *late = memory.last(size + offset);
                check_sum(late, size, any_seed(random), reference::exact_sum(late, size));
            }
            for (const std::size_t size : {1024, 1500, 2047, 2048, 3000, 4000})
                check_sum(memory.begin() + offset, size, any_seed(random),
                          reference::exact_sum(memory.begin() + offset, size));
        }
    }
}

TEST_CASE("a carry ripples through every word") {
    // All ones, with a 1 in one word: the carry that it starts runs through everything after it. And nothing
    // but zeros around one word of ones followed by a 1.
    std::vector<unsigned char> data(704);
    for (std::size_t size = 8; size <= 640; size += size < 160 ? 1 : 7) {
        for (std::size_t at = 0; at + 8 <= size; at += 2) {
            std::fill(data.begin(), data.end(), static_cast<unsigned char>(0xff));
            std::fill_n(data.begin() + at, 8, static_cast<unsigned char>(0));
            data[at] = 1;
            check_sum(data.data(), size, 0xffffffff, reference::exact_sum(data.data(), size));
            std::fill(data.begin(), data.end(), static_cast<unsigned char>(0));
            std::fill_n(data.begin() + at, 8, static_cast<unsigned char>(0xff));
            if (at + 16 <= size) data[at + 8] = 1;
            check_sum(data.data(), size, 1, reference::exact_sum(data.data(), size));
        }
    }
}

TEST_CASE("a zero is a zero only where everything is zero") {
    std::vector<unsigned char> data(longest);
    for (std::size_t size = 0; size <= 1024; ++size) {
        REQUIRE(kernel().sum(data.data(), size, 0) == 0);
        for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
            if (at >= size) continue;
            data[at] = 0x01;
            check_sum(data.data(), size, 0, reference::exact_sum(data.data(), size));
            data[at] = 0;
        }
    }
}

TEST_CASE("no size, no memory") {
    CHECK(kernel().sum(nullptr, 0, 0x12345678) == 0x12345678);
    CHECK(kernel().copy(nullptr, nullptr, 0, 0x12345678) == 0x12345678);
    CHECK(kernel().sum(nullptr, 0, 0) == 0);
}

#if defined(__aarch64__)
TEST_CASE("the upper half of the seed's register may hold anything") {
    // As AAPCS64 lets a caller leave it; for x86-64 another test has all registers so.
    const auto sum = std::bit_cast<std::uint32_t (*)(const void *, std::size_t, std::uint64_t)>(kernel().sum);
    const auto copy =
        std::bit_cast<std::uint32_t (*)(void *, const void *, std::size_t, std::uint64_t)>(kernel().copy);
    std::mt19937 random(9);
    std::vector<unsigned char> src(longest), dst(longest);
    reference::fill(src.data(), src.size(), Pattern::random, random);
    for (std::size_t size = 0; size <= longest; size += size < 1200 ? 1 : 37) {
        CAPTURE(size);
        const std::uint32_t seed = any_seed(random), expected = reference::partial(src.data(), size, seed);
        const std::uint64_t poisoned = std::uint64_t{0xf1f2f3f4} << 32 | seed;
        REQUIRE(canonical(sum(src.data(), size, poisoned)) == expected);
        REQUIRE(canonical(copy(dst.data(), src.data(), size, poisoned)) == expected);
    }
}
#endif

TEST_CASE("a copy of every size up to a page, flush against unreadable pages") {
    std::mt19937 random(3);
    const Guarded src(longest), dst(longest);
    for (const Pattern pattern : {Pattern::random, Pattern::ones}) {
        reference::fill(src.begin(), src.size(), pattern, random);
        for (std::size_t size = 0; size <= longest; ++size) {
            const std::size_t room = std::min<std::size_t>(longest - size, 64);
            const std::uint64_t front = reference::exact_sum(src.begin(), size);
            const std::uint64_t back = reference::exact_sum(src.last(size), size);
            check_copy(dst.begin(), 0, room, src.last(size), size, any_seed(random), back);
            check_copy(dst.last(size), room, 0, src.begin(), size, any_seed(random), front);
        }
    }
}

TEST_CASE("a copy between every two alignments") {
    std::mt19937 random(4);
    const Guarded src(2 * longest), dst(2 * longest);
    reference::fill(src.begin(), src.size(), Pattern::random, random);
    for (std::size_t from = 0; from < 64; ++from) {
        for (std::size_t to = 0; to < 64; to += from % 8 == 0 ? 1 : 5) {
            for (const std::size_t size :
                 {1,   2,   3,   7,   8,   9,   15,  16,  17,  31,  32,  33,  47,   63,   64,  65,
                  100, 127, 128, 129, 191, 255, 256, 257, 300, 511, 512, 700, 1023, 1448, 3001}) {
                const unsigned char *data = src.begin() + from;
                check_copy(dst.begin() + 128 + to, 64, 64, data, size, any_seed(random),
                           reference::exact_sum(data, size));
            }
        }
    }
}

TEST_CASE("short buffers around the border of two pages") {
    // Where the bytes end before it, and where they go on behind it: the source, the destination, or both.
    std::mt19937 random(8);
    const Guarded src(2 * longest), dst(2 * longest);
    reference::fill(src.begin(), src.size(), Pattern::random, random);
    for (std::size_t before = 0; before <= 80; ++before) {
        const unsigned char *data = src.begin() + longest - before;
        std::uint64_t exact = 0;
        for (std::size_t size = 0; size <= 130; ++size) {
            if (size != 0) exact += reference::byte_value(data[size - 1], size - 1);
            check_sum(data, size, any_seed(random), exact);
            for (const std::size_t to : {before, std::size_t{0}, std::size_t{random() % 81}})
                check_copy(dst.begin() + longest - to, 64, 64, data, size, any_seed(random), exact);
        }
    }
}

TEST_CASE("long buffers, summed and copied, at sizes around every power of two") {
    std::mt19937 random(5);
    constexpr std::size_t most = 4u << 20;
    const Guarded src(most + 4096), dst(most + 4096);
    for (const Pattern pattern : {Pattern::random, Pattern::ones}) {
        reference::fill(src.begin(), src.size(), pattern, random);
        for (std::size_t power = 8192; power <= most; power *= 2) {
            for (const std::size_t size : {power - 1, power, power + 1, power + power / 2 + 129}) {
                if (size > most) continue;
                const std::size_t offset = random() % 64;
                const unsigned char *data = src.begin() + offset;
                const std::uint64_t exact = reference::exact_sum(data, size);
                check_sum(data, size, any_seed(random), exact);
                check_sum(src.last(size), size, any_seed(random), reference::exact_sum(src.last(size), size));
                check_copy(dst.begin() + 64 + random() % 64, 64, 64, data, size, any_seed(random), exact);
                check_copy(dst.last(size), 64, 0, data, size, any_seed(random), exact);
            }
        }
    }
}

#if defined(__linux__) && defined(__LP64__)
TEST_CASE("more than 4 GiB, and ones past the bound of every accumulator") {
    constexpr std::size_t unit = std::size_t{16} << 20, total = (std::size_t{4} << 30) + 2 * unit;
    constexpr std::size_t size = (std::size_t{4} << 30) + unit + 12345;
    const reference::Repeated src(unit, total), dst(unit, total);
    std::mt19937 random(6);

    for (const Pattern pattern : {Pattern::ones, Pattern::random}) {
        reference::fill(src.data(), unit, pattern, random);
        const std::uint64_t once = reference::exact_sum(src.data(), unit);
        const std::uint64_t exact = once * (size / unit) + reference::exact_sum(src.data(), size % unit);
        check_sum(src.data(), size, 0x89abcdef, exact);
    }
    // The bytes come to lie where they lay before, again and again.
    const std::uint64_t once = reference::exact_sum(src.data(), unit);
    const std::uint64_t exact = once * (size / unit) + reference::exact_sum(src.data(), size % unit);
    REQUIRE(canonical(kernel().copy(dst.data(), src.data(), size, 7)) == canonical(exact + 7));
    CHECK(std::memcmp(dst.data(), src.data(), unit) == 0);
}
#endif

#if defined(__linux__) && defined(__x86_64__) && defined(__LP64__)
TEST_CASE("more than 16 GiB in one copy, words of ones that are too many for 64 bits") {
    // The kernels of other processors end a round after 4 GiB or less.
    constexpr std::size_t unit = std::size_t{2} << 20, units = (std::size_t{17} << 30) / unit;
    const reference::Repeated src(unit, units * unit), dst(unit, units * unit);
    std::memset(src.data(), 0xff, unit);
    src.data()[0] = 0xfe;
    const std::uint64_t exact = reference::exact_sum(src.data(), unit) * units;
    REQUIRE(canonical(kernel().copy(dst.data(), src.data(), units * unit, 7)) == canonical(exact + 7));
    CHECK(std::memcmp(dst.data(), src.data(), unit) == 0);
}
#endif
