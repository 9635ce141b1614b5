// The kernel's calls in onesum/compat/linux.h, against literals and the byte-wise definition. Beside the
// kernel's own code they are run in tests/compat_test.py. SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <onesum/compat/linux.h>

#include <algorithm>
#include <vector>

#include "reference.h"

using reference::canonical;
using reference::network;

namespace {

std::uint32_t network32(std::uint32_t value) { return htonl(value); }

// RFC 1071 section 3: its example, whose sum is 0xddf2 in network order.
const unsigned char example[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};

}  // namespace

TEST_CASE("csum_partial: any congruent value, 0 only over nothing but zeros") {
    CHECK(canonical(csum_partial(example, sizeof example, 0)) == network(0xddf2));
    CHECK(csum_fold(csum_partial(example, sizeof example, 0)) == network(0x220d));
    CHECK(ip_compute_csum(example, sizeof example) == network(0x220d));
    CHECK(csum_partial(nullptr, 0, 0x12345678) == 0x12345678);
    CHECK(csum_partial(example, 0, 0) == 0);
    CHECK(csum_partial(example, -1, 7) == 7);

    std::mt19937 random(1);
    unsigned char data[300];
    for (const auto pattern : reference::patterns) {
        reference::fill(data, sizeof data, pattern, random);
        for (int size = 0; size < 300; ++size) {
            for (const std::uint32_t seed : {0u, 1u, 0xffffu, 0x10000u, 0xffffffffu}) {
                CAPTURE(size);
                const std::uint32_t expected = reference::partial(data, static_cast<std::size_t>(size), seed);
                REQUIRE(canonical(csum_partial(data, size, seed)) == expected);
                REQUIRE(canonical(csum_partial_ext(data, size, seed)) == expected);
                // Whatever representative comes out, the checksum is one value.
                REQUIRE(csum_fold(csum_partial(data, size, seed)) == (~expected & 0xffff));
            }
        }
    }
}

TEST_CASE("copies: the bytes, no byte more, and never 0 from or to a user") {
    std::mt19937 random(2);
    unsigned char source[200];
    for (const auto pattern : reference::patterns) {
        reference::fill(source, sizeof source, pattern, random);
        for (int size = 0; size <= 200; ++size) {
            std::vector<unsigned char> copy(202, 0xa5);
            const std::size_t bytes = static_cast<std::size_t>(size);
            REQUIRE(canonical(csum_partial_copy_nocheck(source, copy.data() + 1, size)) ==
                    reference::partial(source, bytes, 0));
            REQUIRE(std::equal(source, source + size, copy.begin() + 1));
            REQUIRE(copy[0] == 0xa5);
            REQUIRE(copy[bytes + 1] == 0xa5);
            for (const auto call : {csum_and_copy_from_user, csum_and_copy_to_user}) {
                std::fill(copy.begin(), copy.end(), 0xa5);
                const __wsum sum = call(source, copy.data() + 1, size);
                REQUIRE(sum != 0);
                REQUIRE(csum_fold(sum) == csum_fold(reference::partial(source, bytes, 0xffffffff)));
                REQUIRE(std::equal(source, source + size, copy.begin() + 1));
            }
        }
    }
}

TEST_CASE("headers and pseudo-headers, from packets whose checksums are known") {
    // 10.0.0.1 to 10.0.0.2, UDP 0x1234 to 0x5678, ten bytes; and with options in the IPv4 header.
    unsigned char packet[] = {0x45, 0x00, 0x00, 0x1e, 0x00, 0x01, 0x00, 0x00, 0x40, 0x11,
                              0x66, 0xcc, 0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x00, 0x02,
                              0x12, 0x34, 0x56, 0x78, 0x00, 0x0a, 0xff, 0xff, 0x83, 0x2b};
    CHECK(ip_fast_csum(packet, 5) == 0);
    packet[10] = packet[11] = 0;
    CHECK(ip_fast_csum(packet, 5) == network(0x66cc));
    const unsigned char options[] = {0x46, 0x00, 0x00, 0x23, 0x00, 0x01, 0x00, 0x00, 0x40, 0x11, 0x63, 0xc5,
                                     0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x00, 0x02, 0x01, 0x01, 0x01, 0x01};
    CHECK(ip_fast_csum(options, 6) == 0);

    const __be32 from = network32(0x0a000001), to = network32(0x0a000002);
    CHECK(csum_tcpudp_magic(from, to, 10, 17, csum_partial(packet + 20, 10, 0)) == 0);
    packet[26] = packet[27] = 0;
    CHECK(csum_tcpudp_magic(from, to, 10, 17, csum_partial(packet + 20, 10, 0)) == 0);
    CHECK(canonical(csum_tcpudp_nofold(from, to, 10, 17, 0)) == network(0x0a00 + 1 + 0x0a00 + 2 + 17 + 10));
    // A length of more than 16 bits counts whole.
    CHECK(canonical(csum_tcpudp_nofold(from, to, 0x12345, 6, 0)) ==
          network(0x0a00 + 1 + 0x0a00 + 2 + 6 + 1 + 0x2345));

    struct in6_addr source = {}, destination = {};
    source.s6_addr[0] = destination.s6_addr[0] = 0xfe;
    source.s6_addr[1] = destination.s6_addr[1] = 0x80;
    source.s6_addr[15] = 1;
    destination.s6_addr[15] = 2;
    // An echo request of ICMPv6: fe80 + 1 + fe80 + 2 + 8 + 58 + 8000 + 1234 + 1 = 0x8f7c after carries.
    const unsigned char echo[] = {0x80, 0x00, 0x00, 0x00, 0x12, 0x34, 0x00, 0x01};
    CHECK(csum_ipv6_magic(&source, &destination, 8, 58, csum_partial(echo, 8, 0)) ==
          network(static_cast<std::uint16_t>(~0x8f7c & 0xffff)));
}

TEST_CASE("arithmetic keeps the value, at even and odd offsets") {
    CHECK(csum_add(0xffffffff, 1) == 1);
    CHECK(csum_add(0, 0) == 0);
    CHECK(csum_unfold(0xabcd) == 0xabcd);
    CHECK(csum16_add(0xffff, 1) == 1);
    CHECK(csum16_add(0x8000, 0x8000) == 1);
    CHECK(csum16_sub(5, 2) == 3);
    CHECK(csum16_sub(2, 5) == 0xfffc);
    CHECK(csum_from32to16(0x12345678) == 0x68ac);
    CHECK(wsum_negate(1) == 0xffffffff);
    // 01 and then 02 03, so 0102 0300: a block that begins at an odd offset.
    const unsigned char one = 1, two[] = {2, 3};
    CHECK(canonical(csum_block_add(csum_partial(&one, 1, 0), csum_partial(two, 2, 0), 1)) == network(0x0402));

    std::mt19937 random(3);
    unsigned char data[120];
    for (int round = 0; round < 3000; ++round) {
        reference::fill(data, sizeof data, reference::patterns[round % 4], random);
        const int size = static_cast<int>(random() % 121);
        const int cut = size ? static_cast<int>(random() % static_cast<unsigned>(size + 1)) : 0;
        const __wsum head = csum_partial(data, cut, 0), tail = csum_partial(data + cut, size - cut, 0);
        const std::uint32_t whole = reference::partial(data, static_cast<std::size_t>(size), 0);
        REQUIRE(canonical(csum_block_add(head, tail, cut)) == whole);
        REQUIRE(canonical(csum_block_add_ext(head, tail, cut, size - cut)) == whole);
        REQUIRE(canonical(csum_block_add(head, tail, cut - 200)) == whole);
        // Subtraction tells 0 from 0xffff no more: as checksums modulo 0xffff.
        REQUIRE(csum_block_sub(whole, tail, cut) % 0xffff == head % 0xffff);
        REQUIRE(csum_sub(csum_add(head, 0x1234), 0x1234) % 0xffff == head % 0xffff);
        REQUIRE(csum_shift(csum_shift(tail, 1), 1) % 0xffff == tail % 0xffff);
        REQUIRE(csum_shift(tail, 2) == tail);
    }
}

TEST_CASE("updates are RFC 1624's equation 3") {
    __sum16 sum = network(0xdd2f);
    csum_replace2(&sum, network(0x5555), network(0x3285));  // its example, section 4
    CHECK(sum == 0);

    std::mt19937 random(4);
    unsigned char data[40];
    for (int round = 0; round < 3000; ++round) {
        reference::fill(data, sizeof data, reference::patterns[round % 4], random);
        data[39] = 1;  // never all zeros, where an update may leave 0 and a sum anew 0xffff
        const __sum16 before = csum_fold(reference::partial(data, 40, 0));
        const std::size_t at = random() % 9 * 4;
        __be32 from, to = static_cast<__be32>(random() * (round % 3 ? 1u : 0u));
        std::memcpy(&from, data + at, 4);
        std::memcpy(data + at, &to, 4);
        const __sum16 after = csum_fold(reference::partial(data, 40, 0));
        __sum16 by_value = before, by_diff = before, by_halves = before;
        csum_replace4(&by_value, from, to);
        REQUIRE(by_value == after);
        csum_replace_by_diff(&by_diff, csum_sub(to, from));
        REQUIRE(by_diff == after);
        __be16 halves[4];
        std::memcpy(halves, &from, 4);
        std::memcpy(halves + 2, &to, 4);
        csum_replace2(&by_halves, halves[0], halves[2]);
        csum_replace2(&by_halves, halves[1], halves[3]);
        REQUIRE(by_halves == after);
        __wsum partial = static_cast<__sum16>(~before);
        csum_replace(&partial, from, to);
        REQUIRE(csum_fold(partial) == after);
    }
}

TEST_CASE("remote checksum offload, done and undone") {
    std::mt19937 random(5);
    unsigned char data[64];
    for (int round = 0; round < 500; ++round) {
        reference::fill(data, sizeof data, reference::Pattern::random, random);
        const int start = static_cast<int>(random() % 16) * 2, field = start + 6;
        unsigned char before[64];
        std::memcpy(before, data, sizeof data);
        const __wsum delta = remcsum_adjust(data, csum_partial(data, 64, 0), start, field);
        // What begins at `start` now sums to all ones with what was in the field as its seed.
        __sum16 seed, now;
        std::memcpy(&seed, before + field, 2);
        std::memcpy(&now, data + field, 2);
        std::memcpy(data + field, "\0\0", 2);
        REQUIRE(csum_fold(csum_partial(data + start, 64 - start, seed)) == now);
        std::memcpy(data + field, &now, 2);
        // The returned change is that of the bytes.
        REQUIRE(csum_fold(csum_add(csum_partial(before, 64, 0), delta)) ==
                csum_fold(csum_partial(data, 64, 0)));
        remcsum_unadjust(&now, delta);
        REQUIRE(now == seed);
    }
}
