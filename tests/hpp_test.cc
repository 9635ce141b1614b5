// onesum.hpp: each function passes what it is given to the one that it wraps. SPDX-License-Identifier: MIT
//
// What that one does is tested elsewhere, so it is the expectation here. No two arguments are alike.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <onesum/onesum.hpp>
#include <string_view>
#include <vector>

namespace {

using Buffer = std::array<std::byte, 64>;

// Bytes of which no two words are alike.
constexpr Buffer filled(unsigned first) {
    Buffer bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(first + 7 * i);
    return bytes;
}

constexpr Buffer data = filled(3), other = filled(101);
const onesum::Bytes odd = onesum::Bytes(data).first(37);

std::uint16_t swapped(std::uint16_t check) {
    std::uint8_t bytes[2];
    std::memcpy(bytes, &check, 2);
    return static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]);
}

// An IPv4 header without its checksum, which is 0x66cc, and with it.
constexpr std::array<std::uint8_t, 20> header = {0x45, 0, 0,  0x1e, 0, 1, 0,  0, 64, 17,
                                                 0,    0, 10, 0,    0, 1, 10, 0, 0,  2};
std::array<std::uint8_t, 20> right_header() {
    auto bytes = header;
    bytes[10] = 0x66;
    bytes[11] = 0xcc;
    return bytes;
}

}  // namespace

TEST_CASE("sums") {
    CHECK(onesum::partial(odd) == onesum_partial(data.data(), 37, 0));
    CHECK(onesum::partial(odd, 5) == onesum_partial(data.data(), 37, 5));
    CHECK(onesum::checksum(odd) == onesum_checksum(data.data(), 37));
    // RFC 1071 section 3.
    const std::array<std::uint8_t, 8> rfc = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    CHECK(swapped(onesum::checksum(std::as_bytes(std::span(rfc)))) == 0x220d);

    Buffer copied{};
    CHECK(onesum::copy(copied, odd) == onesum_partial(data.data(), 37, 0));
    CHECK(std::equal(odd.begin(), odd.end(), copied.begin()));
    CHECK(copied[37] == std::byte{0});
    CHECK(onesum::copy(copied, odd, 5) == onesum_partial(data.data(), 37, 5));
}

TEST_CASE("arithmetic and updates") {
    constexpr std::uint32_t a = 0x12345678, b = 0xfedcba98;
    CHECK(onesum::fold(a) == onesum_fold(a));
    CHECK(onesum::add(a, b) == onesum_add(a, b));
    CHECK(onesum::sub(a, b) == onesum_sub(a, b));
    CHECK(onesum::rotate(a, 3) == 0x34567812);
    CHECK(onesum::rotate(a, 2) == a);
    CHECK(onesum::block_add(a, b, 1) == onesum_block_add(a, b, 1));
    CHECK(onesum::block_sub(a, b, 1) == onesum_block_sub(a, b, 1));

    CHECK(onesum::replace16(0x1234, 0x5678, 0x9abd) == onesum_replace16(0x1234, 0x5678, 0x9abd));
    CHECK(onesum::replace32(0x1234, a, b) == onesum_replace32(0x1234, a, b));
    CHECK(onesum::replace128(0x1234, std::span(data).first<16>(), std::span(other).first<16>()) ==
          onesum_replace128(0x1234, data.data(), other.data()));
    CHECK(onesum::replace_diff(0x1234, a) == onesum_replace_diff(0x1234, a));
    CHECK(onesum::fold_udp(0xffff) == 0xffff);
    CHECK(onesum::fold(0xffff) == 0);
    CHECK(onesum::replace_diff_udp(0, a) == 0);
    CHECK(onesum::replace_diff_udp(0x1234, a) == onesum_replace_diff_udp(0x1234, a));

    const onesum_change changes[] = {{data.data(), other.data(), 4, 12},
                                     {data.data() + 4, other.data() + 9, 5, 21}};
    CHECK(onesum::diff(changes) == onesum_diff(changes, 2));
    CHECK(onesum::diff(std::span(changes).first(1)) == onesum_diff(changes, 1));
    CHECK(onesum::diff(changes) != onesum_diff(changes, 1));
    CHECK(onesum::replace(0x1234, changes) == onesum_replace(0x1234, changes, 2));
    CHECK(onesum::replace_udp(0, changes) == 0);
    CHECK(onesum::replace_udp(0x1234, changes) == onesum_replace_udp(0x1234, changes, 2));
}

TEST_CASE("headers") {
    constexpr std::uint32_t sum = 0x12345678;
    CHECK(onesum::pull(sum, odd) == onesum_pull(sum, data.data(), 37));
    CHECK(onesum::push(sum, odd) == onesum_push(sum, data.data(), 37));
    CHECK(onesum::outer(odd, sum) == onesum_outer(data.data(), 37, sum, 0));
    CHECK(onesum::outer(odd, sum, 5) == onesum_outer(data.data(), 37, sum, 5));

    const std::span from(data), to(other);
    CHECK(onesum::pseudo_ipv4(from.first<4>(), to.first<4>(), 99, 17) ==
          onesum_pseudo_ipv4(data.data(), other.data(), 99, 17, 0));
    CHECK(onesum::pseudo_ipv4(from.first<4>(), to.first<4>(), 99, 17, 5) ==
          onesum_pseudo_ipv4(data.data(), other.data(), 99, 17, 5));
    CHECK(onesum::pseudo_ipv6(from.first<16>(), to.first<16>(), 99, 17) ==
          onesum_pseudo_ipv6(data.data(), other.data(), 99, 17, 0));
    CHECK(onesum::pseudo_ipv6(from.first<16>(), to.first<16>(), 99, 17, 5) ==
          onesum_pseudo_ipv6(data.data(), other.data(), 99, 17, 5));

    CHECK(swapped(onesum::ipv4_header(std::as_bytes(std::span(header)))) == 0x66cc);
    CHECK(onesum::ipv4_header(onesum::Bytes(data).first(28)) == onesum_ipv4_header(data.data(), 7));
}

TEST_CASE("pieces") {
    const onesum_buffer list[] = {{data.data(), 5}, {other.data(), 30}};
    CHECK(onesum::partial(list, 3, 21) == onesum_partial_iov(list, 2, 3, 21, 0));
    CHECK(onesum::partial(list, 3, 21, 5) == onesum_partial_iov(list, 2, 3, 21, 5));

    Buffer first{}, second{};
    const onesum_writable to[] = {{first.data(), 7}, {second.data(), 30}};
    CHECK(onesum::fold(onesum::copy(to, 2, list, 3, 21)) == onesum_fold(onesum_partial_iov(list, 2, 3, 21, 0)));
    CHECK(first[1] == std::byte{0});
    CHECK(first[2] == data[3]);
    CHECK(second[0] == other[3]);
    CHECK(onesum::fold(onesum::copy(to, 2, list, 3, 21, 5)) ==
          onesum_fold(onesum_partial_iov(list, 2, 3, 21, 5)));

    onesum::Stream stream(5);
    stream.update(odd.first(11)).update(odd.subspan(11));
    CHECK(onesum_fold(stream.partial()) == onesum_fold(onesum_partial(data.data(), 37, 5)));
    CHECK(stream.checksum() == onesum_fold(stream.partial()));
    CHECK(onesum::Stream().update(odd).checksum() == onesum::checksum(odd));
}

TEST_CASE("many at once") {
    Buffer packets{}, expected{};
    std::array<std::uint32_t, 4> sums{}, expected_sums{};
    CHECK(onesum::segments(packets, 15, 4, odd, 10, sums) == 4);
    onesum_segments(expected.data(), 15, 4, data.data(), 37, 10, expected_sums.data());
    CHECK(packets == expected);
    for (std::size_t i = 0; i < sums.size(); ++i) CHECK(onesum::fold(sums[i]) == onesum_fold(expected_sums[i]));

    const onesum_buffer list[] = {{data.data(), 5}, {other.data(), 30}};
    std::array<std::uint16_t, 2> checks{};
    onesum::batch(list, {}, checks);
    CHECK(checks[0] == onesum_checksum(data.data(), 5));
    CHECK(checks[1] == onesum_checksum(other.data(), 30));
    const std::array<std::uint32_t, 2> seeds = {5, 9};
    onesum::batch(list, seeds, checks);
    CHECK(checks[1] == onesum_fold(onesum_partial(other.data(), 30, 9)));

    // Two headers, the second of them right.
    std::array<std::byte, 48> headers{};
    std::memcpy(&headers[0], header.data(), 20);
    std::memcpy(&headers[24], right_header().data(), 20);
    std::array<std::uint16_t, 2> results{1, 1};
    CHECK(onesum::ipv4_headers(headers.data(), 24, 2) == 1);
    CHECK(onesum::ipv4_headers(headers.data(), 24, 2, results) == 1);
    CHECK(swapped(results[0]) == 0x66cc);
    CHECK(results[1] == 0);
    const void *const pointers[] = {&headers[24], &headers[0]};
    CHECK(onesum::ipv4_headers(pointers) == 1);
    CHECK(onesum::ipv4_headers(pointers, results) == 1);
    CHECK(results[0] == 0);
    CHECK(swapped(results[1]) == 0x66cc);

    auto listed = headers;
    onesum::ipv4_headers_fill(headers.data(), 24, 2);
    CHECK(std::memcmp(&headers[0], right_header().data(), 20) == 0);
    CHECK(std::memcmp(&headers[24], right_header().data(), 20) == 0);
    void *const writable[] = {&listed[0], &listed[24]};
    onesum::ipv4_headers_fill(writable);
    CHECK(listed == headers);
}

TEST_CASE("packets") {
    const std::array<std::uint8_t, 8> udp = {0x12, 0x34, 0x56, 0x78, 0, 0, 0, 0};
    std::vector<std::uint8_t> headers(header.begin(), header.end());
    headers.insert(headers.end(), udp.begin(), udp.end());
    const onesum_gso_packet whole = {headers.data(), headers.size(), 0, data.data(), 9, 5};
    std::array<std::byte, 80> packets{};
    CHECK(onesum::gso(whole, packets, 40) == 2);
    CHECK(onesum::gso_size(whole, 0) == 33);
    CHECK(onesum::gso_size(whole, 1) == 32);

    const std::span second = std::span(packets).subspan(40, 32);
    std::array<onesum_packet_result, 2> results;
    CHECK(onesum::check(second, ONESUM_LINK_IPV4, results) == 2);
    CHECK(results[0].verdict == ONESUM_VERDICT_GOOD);
    CHECK(results[1].verdict == ONESUM_VERDICT_GOOD);
    const onesum_buffer pieces[] = {{second.data(), 13}, {second.data() + 13, 19}};
    CHECK(onesum::check(pieces, ONESUM_LINK_IPV4, results) == 2);
    CHECK(results[1].verdict == ONESUM_VERDICT_GOOD);

    onesum_packet_options options{};
    options.fill_protocols = 1u << ONESUM_PROTOCOL_UDP;
    const auto right = packets;
    second[10] ^= std::byte{1};
    second[30] ^= std::byte{1};
    const auto wrong = packets;
    CHECK(onesum::fill(second, ONESUM_LINK_IPV4, results, options) == 2);
    CHECK(results[0].verdict == ONESUM_VERDICT_BAD);
    CHECK((results[1].flags & ONESUM_RESULT_FILLED) != 0);
    CHECK(packets[50] == wrong[50]);
    CHECK(onesum::fill(second, ONESUM_LINK_IPV4, results) == 2);
    CHECK(packets[50] == right[50]);
    packets = wrong;
    const onesum_writable writable[] = {{second.data(), 13}, {second.data() + 13, 19}};
    CHECK(onesum::fill(writable, ONESUM_LINK_IPV4, results, options) == 2);
    CHECK((results[1].flags & ONESUM_RESULT_FILLED) != 0);
    CHECK(packets[50] == wrong[50]);
    CHECK(onesum::fill(writable, ONESUM_LINK_IPV4, {}) == 2);
    CHECK(packets[50] == right[50]);

    CHECK(onesum::link_known(ONESUM_LINK_ETHERNET));
    CHECK_FALSE(onesum::link_known(0xffffffff));
    CHECK(onesum::protocol_name(ONESUM_PROTOCOL_UDP) == std::string_view("udp"));
    CHECK(onesum::protocol_name(-1) == nullptr);
    CHECK(onesum::verdict_name(ONESUM_VERDICT_BAD) == std::string_view("bad"));
    CHECK(onesum::reason_name(ONESUM_REASON_FRAGMENT) == std::string_view("fragment"));
    CHECK(onesum::protocol_named("udp") == ONESUM_PROTOCOL_UDP);
    CHECK(onesum::protocol_named("") == ONESUM_UNKNOWN);
}

TEST_CASE("implementations") {
    const auto list = onesum::implementations();
    CHECK(list.size() == onesum_implementations(nullptr, 0));
    const auto active = std::find_if(list.begin(), list.end(), [](const auto &one) { return one.active; });
    REQUIRE(active != list.end());
    CHECK(std::string_view(active->name) == onesum::implementation());

    CHECK(onesum::select("generic") == 0);
    CHECK(onesum::implementation() == std::string_view("generic"));
    CHECK(onesum::select("of nobody") == ONESUM_UNKNOWN);
    CHECK(onesum::select(nullptr) == 0);
    CHECK(onesum::forced_status() == onesum_forced_status());
    CHECK(onesum::selftest() == nullptr);
    CHECK(onesum::version() == std::string_view(onesum_version()));
}
