// The C API: arithmetic, updates, headers, pieces. SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <onesum/onesum.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "reference.h"

using reference::canonical;
using reference::network;
using Bytes = std::vector<unsigned char>;

namespace {

// The bytes that a string of hexadecimal digits spells; blanks are skipped.
Bytes hex(std::string_view text) {
    Bytes bytes;
    int digits = 0;
    unsigned value = 0;
    for (const char c : text) {
        if (c == ' ') continue;
        value = value << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
        if (++digits % 2 == 0) bytes.push_back(static_cast<unsigned char>(value));
    }
    return bytes;
}

// A partial sum as RFC 1071 would print it: folded, in network order.
std::uint16_t printed(std::uint32_t sum) { return network(static_cast<std::uint16_t>(~onesum_fold(sum))); }
std::uint16_t sum_of(std::string_view text, std::uint32_t seed = 0) {
    const Bytes bytes = hex(text);
    return printed(onesum_partial(bytes.data(), bytes.size(), seed));
}
std::uint32_t partial_of(std::string_view text) {
    const Bytes bytes = hex(text);
    return onesum_partial(bytes.data(), bytes.size(), 0);
}
std::uint16_t checksum_of(std::string_view text) {
    const Bytes bytes = hex(text);
    return network(onesum_checksum(bytes.data(), bytes.size()));
}

std::uint16_t sum_of_pieces(const std::vector<Bytes> &pieces) {
    std::vector<onesum_buffer> list;
    std::size_t size = 0;
    for (const Bytes &piece : pieces) {
        list.push_back({piece.data(), piece.size()});
        size += piece.size();
    }
    const std::uint32_t listed = onesum_partial_iov(list.data(), list.size(), 0, size, 0);

    onesum_state state;
    onesum_init(&state, 0);
    std::uint32_t chained = 0;
    std::size_t offset = 0;
    for (const Bytes &piece : pieces) {
        onesum_update(&state, piece.data(), piece.size());
        chained = onesum_block_add(chained, onesum_partial(piece.data(), piece.size(), 0), offset);
        offset += piece.size();
    }
    CHECK(printed(onesum_final(&state)) == printed(listed));
    CHECK(printed(chained) == printed(listed));
    return printed(listed);
}

}  // namespace

TEST_CASE("RFC 1071: the example of section 3") {
    CHECK(sum_of("0001 f203 f4f5 f6f7") == 0xddf2);
    CHECK(checksum_of("0001 f203 f4f5 f6f7") == 0x220d);
    CHECK(checksum_of("0001") == 0xfffe);
    CHECK(checksum_of("") == 0xffff);
    // Verification over bytes that hold their own checksum gives 0.
    CHECK(checksum_of("0001 f203 f4f5 f6f7 220d") == 0);
}

TEST_CASE("an odd last byte is padded after it, on every byte order") {
    CHECK(sum_of("aabbccddee") == 0x659a);
    CHECK(checksum_of("aabbccddee") == 0x9a65);
    CHECK(sum_of("61") == 0x6100);
}

TEST_CASE("a carry at the edge, and 0 against 0xffff") {
    CHECK(checksum_of("0000ffffffffffff0001") == 0xfffe);
    Bytes stored = hex("fffeffffffffffff0001");
    CHECK(printed(onesum_partial(stored.data(), stored.size(), 0)) == 0xffff);
    CHECK(onesum_checksum(stored.data(), stored.size()) == 0);
    CHECK(onesum_fold(0) == 0xffff);
    CHECK(onesum_fold(0xffff) == 0);
    CHECK(onesum_fold(0xffffffff) == 0);
    CHECK(onesum_fold(0xffff0000) == 0);
    CHECK(onesum_fold(0x10000) == 0xfffe);
    CHECK(onesum_fold(0x0001ffff) == 0xfffe);
}

TEST_CASE("any seed") {
    CHECK(sum_of("0001", 0xffffffff) == 0x0001);
    CHECK(onesum_partial(nullptr, 0, 0xdeadbeef) == 0xdeadbeef);
    unsigned char dst = 0x77, src = 0x11;
    CHECK(onesum_copy(&dst, &src, 0, 0xdeadbeef) == 0xdeadbeef);
    CHECK(dst == 0x77);
    CHECK(onesum_copy(nullptr, nullptr, 0, 0) == 0);
}

TEST_CASE("lengths of 65536 and more are whole") {
    const Bytes data(66000, 0xab);
    CHECK(printed(onesum_partial(data.data(), data.size(), 0)) == 0x6969);
    const Bytes ones(1 << 20, 0xff);
    CHECK(onesum_checksum(ones.data(), ones.size()) == 0);
    Bytes words(131076);  // words of 0xfffe
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = i % 2 ? 0xfe : 0xff;
    CHECK(onesum_fold(onesum_partial(words.data(), words.size(), 0)) ==
          onesum_fold(reference::partial(words.data(), words.size(), 0)));
}

TEST_CASE("no alignment is asked for") {
    alignas(64) unsigned char buffer[64 + 1600];
    std::mt19937 random(9);
    reference::fill(buffer, sizeof buffer, reference::Pattern::random, random);
    for (std::size_t offset = 0; offset < 64; ++offset)
        for (const std::size_t size : {1, 20, 40, 65, 256, 1500})
            CHECK(canonical(onesum_partial(buffer + offset, size, 5)) ==
                  reference::partial(buffer + offset, size, 5));
}

TEST_CASE("addition and subtraction") {
    CHECK(onesum_add(0, 0) == 0);
    CHECK(onesum_add(0xffffffff, 0xffffffff) == 0xffffffff);
    CHECK(onesum_add(0xffffffff, 1) == 1);
    CHECK(onesum_add(0x80000000, 0x80000000) == 1);
    CHECK(onesum_sub(5, 5) == 0xffffffff);
    CHECK(onesum_fold(onesum_sub(0x12345, 0x345)) == onesum_fold(0x12000));
    std::mt19937 random(10);
    for (int i = 0; i < 100000; ++i) {
        const std::uint32_t a = static_cast<std::uint32_t>(random()), b = static_cast<std::uint32_t>(random());
        REQUIRE(canonical(onesum_add(a, b)) == canonical(std::uint64_t{a} + b));
        REQUIRE(onesum_fold(onesum_add(onesum_sub(a, b), b)) == onesum_fold(canonical(a)));
        REQUIRE(static_cast<std::uint16_t>(~onesum_fold(a)) == canonical(a) % 0x10000);
    }
}

TEST_CASE("blocks at odd offsets are rotated") {
    CHECK(printed(onesum_block_add(partial_of("01"), partial_of("0203"), 1)) == 0x0402);
    CHECK(printed(onesum_block_add(partial_of("0102"), partial_of("0304"), 2)) == 0x0406);
    // A header that is pulled from the front, one of odd length in the middle.
    const std::uint32_t all = partial_of("0102030405060708");
    CHECK(printed(onesum_block_sub(all, partial_of("0102"), 0)) == sum_of("0304 0506 0708"));
    CHECK(printed(onesum_block_sub(all, partial_of("040506"), 3)) == sum_of("0102 0300 0000 0708"));
}

TEST_CASE("pieces: wherever a buffer is cut, the sum is that of the whole") {
    CHECK(sum_of_pieces({hex("aabbcc"), {}, hex("dd")}) == 0x7799);
    CHECK(sum_of_pieces({hex("01"), hex("0203"), hex("04")}) == 0x0406);
    CHECK(sum_of_pieces({hex("aa"), hex("ffffffffffff")}) == 0xaa00);
    CHECK(sum_of_pieces({hex("01"), hex("0203")}) == sum_of("010203"));
    CHECK(sum_of_pieces({hex("61")}) == 0x6100);

    // Every way to cut 10 bytes into four pieces, empty ones too.
    const Bytes data = hex("ff01fe02fd03fc04fb05");
    const std::uint16_t whole = printed(onesum_partial(data.data(), data.size(), 0));
    for (std::size_t a = 0; a <= 10; ++a)
        for (std::size_t b = a; b <= 10; ++b)
            for (std::size_t c = b; c <= 10; ++c) {
                const auto at = data.begin();
                REQUIRE(sum_of_pieces({Bytes(at, at + a), Bytes(at + a, at + b), Bytes(at + b, at + c),
                                       Bytes(at + c, data.end())}) == whole);
            }
}

TEST_CASE("a range in a list, and nothing beyond it") {
    const Bytes a = hex("0102030405"), b = hex("06"), c = hex("0708090a0b0c0d");
    const onesum_buffer list[] = {
        {a.data(), a.size()}, {nullptr, 0}, {b.data(), b.size()}, {c.data(), c.size()}};
    Bytes joined = a;
    joined.insert(joined.end(), b.begin(), b.end());
    joined.insert(joined.end(), c.begin(), c.end());
    for (std::size_t offset = 0; offset <= joined.size(); ++offset)
        for (std::size_t size = 0; size + offset <= joined.size(); ++size)
            REQUIRE(canonical(onesum_partial_iov(list, 4, offset, size, 0x1234)) ==
                    reference::partial(joined.data() + offset, size, 0x1234));
    CHECK(canonical(onesum_partial_iov(list, 4, 3, SIZE_MAX, 0)) ==
          reference::partial(joined.data() + 3, joined.size() - 3, 0));
    CHECK(onesum_partial_iov(list, 4, 100, 5, 0x1234) == 0x1234);
    CHECK(onesum_partial_iov(nullptr, 0, 0, 5, 0x1234) == 0x1234);
    // A header view that is longer than the header: explicit lengths, not the buffer's.
    const Bytes view = hex("4500001effffffff");
    const onesum_buffer long_view[] = {{view.data(), view.size()}};
    CHECK(printed(onesum_partial_iov(long_view, 1, 0, 4, 0)) == 0x451e);
}

TEST_CASE("copied in chunks of odd sizes, the bytes and the sum are those of the whole") {
    const Bytes data = hex("0102030405060708");
    Bytes copy(8);
    const std::uint32_t first = onesum_copy(copy.data(), data.data(), 3, 0);
    const std::uint32_t second = onesum_copy(copy.data() + 3, data.data() + 3, 5, 0);
    CHECK(copy == data);
    CHECK(printed(onesum_block_add(first, second, 3)) == sum_of("0102030405060708"));
}

TEST_CASE("a stream goes on after its result was asked for") {
    onesum_state state;
    onesum_init(&state, 0);
    onesum_update(&state, "\xaa\xbb\xcc", 3);
    CHECK(printed(onesum_final(&state)) == sum_of("aabbcc"));
    onesum_update(&state, nullptr, 0);
    onesum_update(&state, "\xdd", 1);
    CHECK(printed(onesum_final(&state)) == 0x7799);
    onesum_init(&state, 0xffffffff);
    onesum_update(&state, "\0\1", 2);
    CHECK(printed(onesum_final(&state)) == 0x0001);
}

TEST_CASE("RFC 1624: the example of section 4, and what equation 2 gets wrong") {
    CHECK(network(onesum_replace16(network(0xdd2f), network(0x5555), network(0x3285))) == 0x0000);
    // An ICMP echo request that becomes a reply of nothing but zeros: by the equation 0, computed anew 0xffff.
    CHECK(network(onesum_replace16(network(0xf7ff), network(0x0800), network(0x0000))) == 0x0000);
    CHECK(checksum_of("0000000000000000") == 0xffff);
}

TEST_CASE("updates give what summing anew gives") {
    std::mt19937 random(11);
    Bytes data(64);
    for (int round = 0; round < 5000; ++round) {
        reference::fill(data.data(), data.size(), reference::Pattern::random, random);
        const std::uint16_t before = onesum_checksum(data.data(), data.size());
        Bytes changed = data;
        const std::size_t at = random() % 24 * 2;
        std::uint16_t from16, to16;
        std::uint32_t from32, to32;
        std::memcpy(&from16, &data[at], 2);
        std::memcpy(&from32, &data[at], 4);
        reference::fill(&changed[at], 16, reference::Pattern::random, random);
        std::memcpy(&to16, &changed[at], 2);
        std::memcpy(&to32, &changed[at], 4);

        const auto anew = [&](std::size_t size) {
            Bytes now = data;
            std::copy_n(changed.begin() + static_cast<std::ptrdiff_t>(at), size,
                        now.begin() + static_cast<std::ptrdiff_t>(at));
            return onesum_checksum(now.data(), now.size());
        };
        REQUIRE(onesum_replace16(before, from16, to16) == anew(2));
        REQUIRE(onesum_replace32(before, from32, to32) == anew(4));
        REQUIRE(onesum_replace128(before, &data[at], &changed[at]) == anew(16));
        const std::uint32_t diff =
            onesum_sub(onesum_partial(&changed[at], 16, 0), onesum_partial(&data[at], 16, 0));
        REQUIRE(onesum_replace_diff(before, diff) == anew(16));
    }
}

TEST_CASE("pseudo-headers") {
    // UDP over IPv4: 10.0.0.1 to 10.0.0.2, one byte of payload.
    const Bytes src = hex("0a000001"), dst = hex("0a000002"), udp = hex("123456780009000061");
    const std::uint32_t seed = onesum_pseudo_ipv4(src.data(), dst.data(), 9, 17, 0);
    CHECK(canonical(seed) == canonical(partial_of("0a000001 0a000002 0011 0009")));
    CHECK(network(onesum_fold(onesum_partial(udp.data(), udp.size(), seed))) ==
          checksum_of("0a000001 0a000002 0011 0009 123456780009000061"));
    CHECK(network(onesum_fold(onesum_partial(udp.data(), udp.size(), seed))) == 0x222d);
    const Bytes low_ports = hex("000100020009000061");
    CHECK(network(onesum_fold(onesum_partial(low_ports.data(), low_ports.size(), seed))) == 0x8ad6);
    // The seed for segmentation, with a length of 0 and with the full length.
    CHECK(printed(onesum_pseudo_ipv4(src.data(), dst.data(), 0, 6, 0)) == 0x1409);
    CHECK(printed(onesum_pseudo_ipv4(src.data(), dst.data(), 1000, 6, 0)) == 0x17f1);
    // A length that does not fit 16 bits counts whole.
    CHECK(printed(onesum_pseudo_ipv4(src.data(), dst.data(), 0x12345, 6, 0)) == 0x374f);

    // ICMPv6 echo from ::1 to ::1.
    const Bytes loopback = hex("00000000000000000000000000000001");
    Bytes echo = hex("80000000004b00032be1635f00000000ade1040000000000");
    for (unsigned char byte = 0x10; byte <= 0x37; ++byte) echo.push_back(byte);
    const std::uint32_t size = static_cast<std::uint32_t>(echo.size());
    const std::uint32_t v6 = onesum_pseudo_ipv6(loopback.data(), loopback.data(), size, 58, 0);
    CHECK(network(onesum_fold(onesum_partial(echo.data(), echo.size(), v6))) == 0x7f40);
    CHECK(network(onesum_checksum(echo.data(), echo.size())) == 0x7fbc);  // without it

    std::mt19937 random(12);
    Bytes addresses(32);
    for (int round = 0; round < 1000; ++round) {
        reference::fill(addresses.data(), 32, reference::patterns[round % 4], random);
        const std::uint32_t length = static_cast<std::uint32_t>(random()),
                            sum = static_cast<std::uint32_t>(random());
        const unsigned char rest[8] = {static_cast<unsigned char>(length >> 24),
                                       static_cast<unsigned char>(length >> 16),
                                       static_cast<unsigned char>(length >> 8),
                                       static_cast<unsigned char>(length),
                                       0,
                                       0,
                                       0,
                                       44};
        REQUIRE(canonical(onesum_pseudo_ipv6(&addresses[0], &addresses[16], length, 44, sum)) ==
                canonical(reference::exact_sum(addresses.data(), 32) + reference::exact_sum(rest, 8) + sum));
        REQUIRE(canonical(onesum_pseudo_ipv4(&addresses[3], &addresses[9], length, 44, sum)) ==
                canonical(reference::exact_sum(&addresses[3], 4) + reference::exact_sum(&addresses[9], 4) +
                          reference::exact_sum(rest, 8) + sum));
    }
    const Bytes zeros(16);
    CHECK(onesum_pseudo_ipv6(zeros.data(), zeros.data(), 0, 0, 0) == 0);
    CHECK(onesum_pseudo_ipv4(zeros.data(), zeros.data(), 0, 0, 0) == 0);
}

TEST_CASE("IPv4 headers, with and without options") {
    Bytes header = hex("4500001e00010000401166cc0a0000010a000002");
    CHECK(onesum_ipv4_header(header.data(), 5) == 0);
    header[10] = header[11] = 0;
    CHECK(network(onesum_ipv4_header(header.data(), 5)) == 0x66cc);

    // Six words; the options count, and the UDP pseudo-header's length must leave them out.
    const Bytes options = hex("4600002300010000401163c50a0000010a0000020101010100070009000b2763616263");
    CHECK(onesum_ipv4_header(options.data(), 6) == 0);
    CHECK(onesum_ipv4_header(options.data(), 5) != 0);
    const std::uint32_t pseudo = onesum_pseudo_ipv4(&options[12], &options[16], 35 - 6 * 4, 17, 0);
    CHECK(onesum_fold(onesum_partial(&options[24], 11, pseudo)) == 0);

    // Fewer than five words as written, never an error.
    CHECK(onesum_ipv4_header(nullptr, 0) == 0xffff);
    CHECK(network(onesum_ipv4_header(options.data(), 1)) == checksum_of("46000023"));
    // The longest there is, at an odd address.
    std::array<unsigned char, 61> longest;
    std::mt19937 random(13);
    for (int round = 0; round < 1000; ++round) {
        reference::fill(longest.data(), longest.size(), reference::patterns[round % 4], random);
        for (unsigned ihl = 0; ihl <= 15; ++ihl)
            REQUIRE(onesum_ipv4_header(&longest[1], ihl) ==
                    onesum_fold(reference::partial(&longest[1], ihl * 4, 0)));
    }
}

#if defined(__x86_64__) && !defined(_WIN32)  // the registers are those of the System V convention
TEST_CASE("a carry that is left from before does not count") {
    // As functions, called right after an instruction that sets the carry flag.
    std::uint64_t (*const volatile add)(std::uint64_t, std::uint64_t, std::uint64_t) = onesum_add64;
    std::uint64_t (*const volatile addresses)(std::uint64_t, const void *, const void *) = onesum_add_addresses;
    std::uint32_t (*const volatile header)(const void *) = onesum_sum20;
    const std::uint64_t words[] = {10, 20, 0};
    std::uint64_t sum;
#define AFTER_CARRY(function, first, second, third)                  \
    asm volatile("stc\n\tcall *%[call]"                              \
                 : "=a"(sum), "+D"(first), "+S"(second), "+d"(third) \
                 : [call] "r"(function)                              \
                 : "rcx", "r8", "r9", "r10", "r11", "cc", "memory")
    std::uint64_t one = 1, two = 2, three = 3;
    AFTER_CARRY(add, one, two, three);
    CHECK(sum == 6);
    const std::uint64_t *a = words, *b = words;
    one = 1;
    AFTER_CARRY(addresses, one, a, b);
    CHECK(sum == 61);
    a = words;
    AFTER_CARRY(header, a, b, three);
    CHECK(static_cast<std::uint32_t>(sum) == 30);
#undef AFTER_CARRY
}
#endif
