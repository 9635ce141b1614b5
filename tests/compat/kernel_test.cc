// onesum/compat/linux.h beside the kernel's own inline functions. Checksums are equal, and partial sums
// congruent modulo 0xffff. SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "kernel_calls.h"

namespace {

const kernel_calls &real = real_calls, &ours = onesum_calls;

// Values where carries arise, and others.
std::mt19937 random_bits(1);
std::uint32_t value() {
    static const std::uint32_t edges[] = {0,          1,          0xffff,     0x10000,    0x7fffffff,
                                          0x80000000, 0xfffeffff, 0xffff0000, 0xfffffffe, 0xffffffff};
    const std::uint32_t r = static_cast<std::uint32_t>(random_bits());
    return r % 3 ? static_cast<std::uint32_t>(random_bits()) : edges[r / 3 % std::size(edges)];
}
std::uint16_t half() { return static_cast<std::uint16_t>(value() >> (random_bits() % 2 ? 16 : 0)); }

bool congruent(std::uint32_t a, std::uint32_t b) { return a % 0xffff == b % 0xffff; }

}  // namespace

TEST_CASE("arithmetic") {
    for (int round = 0; round < 200000; ++round) {
        const std::uint32_t a = value(), b = value();
        const std::uint16_t c = half(), d = half();
        const int offset = static_cast<int>(value());
        REQUIRE(ours.add(a, b) == real.add(a, b));
        REQUIRE(ours.sub(a, b) == real.sub(a, b));
        REQUIRE(ours.add16(c, d) == real.add16(c, d));
        REQUIRE(ours.sub16(c, d) == real.sub16(c, d));
        REQUIRE(ours.fold(a) == real.fold(a));
        REQUIRE(ours.unfold(c) == real.unfold(c));
        REQUIRE(ours.negate(a) == real.negate(a));
        REQUIRE(congruent(ours.shift(a, offset), real.shift(a, offset)));
        REQUIRE(congruent(ours.block_add(a, b, offset), real.block_add(a, b, offset)));
        REQUIRE(congruent(ours.block_add_ext(a, b, offset, 4), real.block_add_ext(a, b, offset, 4)));
        REQUIRE(congruent(ours.block_sub(a, b, offset), real.block_sub(a, b, offset)));
        REQUIRE(ours.fold(ours.block_add(a, b, offset)) == real.fold(real.block_add(a, b, offset)));
    }
}

TEST_CASE("pseudo-headers and updates") {
    for (int round = 0; round < 200000; ++round) {
        const std::uint32_t a = value(), b = value(), sum = value(), length = value() & 0xffff;
        const std::uint8_t protocol = static_cast<std::uint8_t>(half());
        REQUIRE(congruent(ours.nofold(a, b, length, protocol, sum), real.nofold(a, b, length, protocol, sum)));
        REQUIRE(ours.magic(a, b, length, protocol, sum) == real.magic(a, b, length, protocol, sum));

        const std::uint16_t from = half(), to = half(), stored = half();
        std::uint16_t x = stored, y = stored;
        ours.replace2(&x, from, to), real.replace2(&y, from, to);
        REQUIRE(x == y);
        ours.replace4(&x, a, b), real.replace4(&y, a, b);
        REQUIRE(x == y);
        ours.replace_by_diff(&x, sum), real.replace_by_diff(&y, sum);
        REQUIRE(x == y);
        std::uint32_t p = sum, q = sum;
        ours.replace(&p, a, b), real.replace(&q, a, b);
        REQUIRE(p == q);
    }
}

TEST_CASE("IPv4 headers of every length") {
    unsigned char header[60];
    for (int round = 0; round < 50000; ++round) {
        for (auto &byte : header) byte = static_cast<unsigned char>(value());
        const unsigned ihl = 5 + static_cast<unsigned>(random_bits() % 11);
        REQUIRE(ours.header(header, ihl) == real.header(header, ihl));
    }
}

TEST_CASE("remote checksum offload") {
    unsigned char one[64], two[64];
    for (int round = 0; round < 50000; ++round) {
        for (auto &byte : one) byte = static_cast<unsigned char>(value());
        std::memcpy(two, one, sizeof one);
        const std::uint32_t sum = value();
        const int start = static_cast<int>(random_bits() % 20) * 2, field = start + 16;
        const std::uint32_t p = ours.adjust(one, sum, start, field), q = real.adjust(two, sum, start, field);
        REQUIRE(std::equal(one, one + 64, two));
        REQUIRE(congruent(p, q));
        std::uint16_t x, y;
        std::memcpy(&x, one + field, 2);
        y = x;
        ours.unadjust(&x, p), real.unadjust(&y, q);
        REQUIRE(x == y);
    }
}
