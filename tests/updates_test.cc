// Checksums that follow a change: address translation, tunnels, local checksum offload.
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <onesum/onesum.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "reference.h"

using reference::canonical;
using reference::network;
using Bytes = std::vector<unsigned char>;

namespace {

Bytes noise(std::size_t size, std::mt19937 &random) {
    Bytes data(size);
    reference::fill(data.data(), size, reference::patterns[random() % 4], random);
    return data;
}

}  // namespace

TEST_CASE("changes of every size up to 40 bytes, flush against an unreadable page") {
    std::mt19937 random(15);
    const reference::Guarded before(64), after(64);
    for (std::size_t size = 0; size <= 40; ++size)
        for (const std::size_t offset : {0, 1, 6, 7})
            for (int round = 0; round < 20; ++round) {
                CAPTURE(size);
                CAPTURE(offset);
                reference::fill(before.begin(), 64, reference::patterns[random() % 4], random);
                reference::fill(after.begin(), 64, reference::patterns[random() % 4], random);
                const onesum_change change = {before.last(size), after.last(size), size, offset};
                std::uint64_t from = 0, to = 0;
                for (std::size_t i = 0; i < size; ++i) {
                    from += reference::byte_value(before.last(size)[i], offset + i);
                    to += reference::byte_value(after.last(size)[i], offset + i);
                }
                REQUIRE((onesum_diff(&change, 1) + from) % 0xffff == to % 0xffff);
            }
}

TEST_CASE("UDP: a computed 0 is 0xffff, a stored 0 stays") {
    CHECK(onesum_fold_udp(0) == 0xffff);
    CHECK(onesum_fold_udp(0xffff) == 0xffff);
    CHECK(onesum_fold_udp(0xffffffff) == 0xffff);
    CHECK(onesum_fold_udp(network(0x1234)) == network(0xedcb));
    // 10.0.0.1 becomes 192.168.0.1 under a datagram without a checksum.
    const unsigned char from[] = {10, 0, 0, 1}, to[] = {192, 168, 0, 1};
    const onesum_change change = {from, to, 4, 0};
    CHECK(onesum_replace_udp(0, &change, 1) == 0);
    CHECK(onesum_replace_diff_udp(0, onesum_diff(&change, 1)) == 0);
    CHECK(onesum_replace(0, &change, 1) != 0);  // other protocols know no such thing
    // A word that makes the sum 0xffff: the checksum that comes out as 0 is not stored as 0.
    const unsigned char old_word[] = {0x00, 0x00}, new_word[] = {0x12, 0x34};
    const onesum_change to_zero = {old_word, new_word, 2, 0};
    CHECK(onesum_replace(network(0x1234), &to_zero, 1) == 0);
    CHECK(onesum_replace_udp(network(0x1234), &to_zero, 1) == 0xffff);
    const onesum_change back = {new_word, old_word, 2, 0};
    CHECK(network(onesum_replace_udp(0xffff, &back, 1)) == 0x1234);
}

TEST_CASE("a literal translation: IPv4 address and port under UDP") {
    // 10.0.0.1:4660 to 10.0.0.2:22136, one byte of payload; 10.0.0.1:4660 becomes 192.0.2.7:50000.
    const unsigned char address[] = {10, 0, 0, 1}, port[] = {0x12, 0x34};
    const unsigned char new_address[] = {192, 0, 2, 7}, new_port[] = {0xc3, 0x50};
    const onesum_change changes[] = {{address, new_address, 4, 0}, {port, new_port, 2, 0}};
    CHECK(network(onesum_replace_udp(network(0x222d), changes, 2)) == 0xb909);
    // The header's own checksum has the address alone.
    CHECK(network(onesum_replace(network(0x66cc), changes, 1)) == 0xaec5);
    CHECK(onesum_replace(0x1234, changes, 0) == 0x1234);
    CHECK(onesum_diff(nullptr, 0) == 0);
}

TEST_CASE("any list of changes gives what summing anew gives") {
    std::mt19937 random(51);
    for (int round = 0; round < 100000; ++round) {
        const std::size_t size = 40 + random() % 200;
        Bytes data = noise(size, random);
        data[0] = 1;  // not all zeros, before and after
        const std::uint16_t check = onesum_fold(reference::partial(data.data(), size, 0));
        const Bytes before = data;
        std::vector<onesum_change> changes;
        std::size_t at = 1;
        for (const std::size_t length :
             {random() % 5, std::uint_fast32_t{4}, std::uint_fast32_t{2}, random() % 40}) {
            at += random() % 3;
            if (at + length > size) break;
            const Bytes now = noise(length, random);
            std::copy(now.begin(), now.end(), data.begin() + static_cast<std::ptrdiff_t>(at));
            changes.push_back({before.data() + at, data.data() + at, length, at});
            at += length;
        }
        const std::uint16_t due = onesum_fold(reference::partial(data.data(), size, 0));
        REQUIRE(onesum_replace(check, changes.data(), changes.size()) == due);
        const std::uint16_t udp_check = check ? check : 0xffff, udp_due = due ? due : 0xffff;
        REQUIRE(onesum_replace_udp(udp_check, changes.data(), changes.size()) == udp_due);
        REQUIRE(onesum_replace_diff_udp(udp_check, onesum_diff(changes.data(), changes.size())) == udp_due);
    }
}

TEST_CASE("IPv6 addresses and ports under UDP and TCP") {
    std::mt19937 random(52);
    for (int round = 0; round < 20000; ++round) {
        Bytes addresses = noise(32, random), segment = noise(8 + random() % 100, random);
        const std::uint32_t length = static_cast<std::uint32_t>(segment.size());
        const unsigned char rest[8] = {0, 0, 0, static_cast<unsigned char>(length), 0, 0, 0, 17};
        const auto anew = [&] {
            return onesum_fold(canonical(reference::exact_sum(addresses.data(), 32) +
                                         reference::exact_sum(rest, 8) +
                                         reference::exact_sum(segment.data(), segment.size())));
        };
        const std::uint16_t before = anew();
        const Bytes old = addresses, old_port(segment.begin(), segment.begin() + 2);
        reference::fill(addresses.data(), 16, reference::Pattern::random, random);
        reference::fill(segment.data(), 2, reference::Pattern::random, random);
        const onesum_change changes[] = {{old.data(), addresses.data(), 16, 0},
                                         {old_port.data(), segment.data(), 2, 0}};
        REQUIRE(onesum_replace(before, changes, 2) == anew());
        REQUIRE(onesum_replace_udp(before ? before : 0xffff, changes, 2) == (anew() ? anew() : 0xffff));
    }
}

TEST_CASE("headers pulled off and pushed on, of any length") {
    std::mt19937 random(53);
    for (int round = 0; round < 20000; ++round) {
        const Bytes data = noise(2 + random() % 300, random);
        const std::size_t size = random() % data.size();
        const std::uint32_t seed = random() % 2 ? 0 : static_cast<std::uint32_t>(random());
        const std::uint32_t all = onesum_partial(data.data(), data.size(), 0);
        const std::uint32_t rest = reference::partial(data.data() + size, data.size() - size, seed);
        REQUIRE(onesum_fold(onesum_add(onesum_pull(all, data.data(), size), canonical(seed))) % 0xffff ==
                onesum_fold(rest) % 0xffff);
        const std::uint32_t pushed =
            onesum_push(onesum_partial(data.data() + size, data.size() - size, 0), data.data(), size);
        REQUIRE(canonical(pushed) == reference::partial(data.data(), data.size(), 0));
    }
    // A network card summed 18 bytes of Ethernet and VLAN, and this UDP datagram over IPv4.
    const unsigned char frame[] = {2,    0,    0,    0,    0,    2,    2,    0,    0,    0,    0,    1,
                                   0x81, 0x00, 0x00, 0x05, 0x08, 0x00, 0x45, 0x00, 0x00, 0x1d, 0x00, 0x01,
                                   0x00, 0x00, 0x40, 0x11, 0x66, 0xcd, 0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00,
                                   0x00, 0x02, 0x12, 0x34, 0x56, 0x78, 0x00, 0x09, 0x22, 0x2d, 0x61};
    std::uint32_t sum = onesum_partial(frame, sizeof frame, 0);
    sum = onesum_pull(sum, frame, 18);
    sum = onesum_pull(sum, frame + 18, 20);
    CHECK(onesum_fold(onesum_pseudo_ipv4(frame + 30, frame + 34, 9, 17, sum)) == 0);
}

TEST_CASE("local checksum offload: an outer checksum without a look at the inner packet") {
    std::mt19937 random(54);
    for (int round = 0; round < 20000; ++round) {
        // Outer UDP, a tunnel header of any length, an inner IP header, inner TCP; each of random bytes.
        const std::size_t inner_at = 8 + 8 + 20 + random() % 3, size = inner_at + 20 + random() % 200;
        Bytes packet = noise(size, random);
        packet[0] = 1;
        const std::uint32_t inner_pseudo = static_cast<std::uint32_t>(random() % 0xffff + 1);
        const std::uint32_t outer_pseudo = static_cast<std::uint32_t>(random());
        packet[6] = packet[7] = 0;
        const std::size_t field = inner_at + 16;

        // Left to the card: the field holds the sum of the inner pseudo-header, not complemented.
        const std::uint16_t stored = static_cast<std::uint16_t>(inner_pseudo);
        std::memcpy(&packet[field], &stored, 2);
        const std::uint16_t outer = onesum_fold(onesum_outer(packet.data(), inner_at, stored, outer_pseudo));

        // What the card makes of it, and what a receiver then sees.
        const std::uint16_t done = onesum_fold(reference::partial(&packet[inner_at], size - inner_at, 0));
        std::memcpy(&packet[field], &done, 2);
        REQUIRE(onesum_fold(reference::partial(packet.data(), size, outer_pseudo)) % 0xffff == outer % 0xffff);
        // The same from an inner checksum that is right already.
        REQUIRE(onesum_fold(onesum_outer(packet.data(), inner_at, inner_pseudo, outer_pseudo)) == outer);
        std::memcpy(&packet[6], &outer, 2);
        REQUIRE(onesum_fold(reference::partial(packet.data(), size, outer_pseudo)) == 0);
    }
}
