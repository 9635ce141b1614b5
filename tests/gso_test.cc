// Payloads cut into finished packets. SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <onesum/gso.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "dispatch/kernel.h"
#include "gso_templates.h"
#include "reference.h"

using templates::Bytes;
using templates::Template;

namespace {

void put16(Bytes &bytes, std::size_t at, std::size_t value) {
    bytes[at] = static_cast<unsigned char>(value >> 8);
    bytes[at + 1] = static_cast<unsigned char>(value);
}
std::uint32_t get32(const Bytes &bytes, std::size_t at) {
    return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
           std::uint32_t{bytes[at + 2]} << 8 | bytes[at + 3];
}
void put_check(Bytes &bytes, std::size_t at, std::uint64_t sum) {
    const std::uint16_t check = onesum_fold(reference::canonical(sum));
    std::memcpy(&bytes[at], &check, 2);
}

// Packet i, built byte by byte from the description in gso.h.
Bytes packet_due(const Template &from, const Bytes &payload, std::size_t segment, std::size_t i,
                 std::size_t count) {
    Bytes packet = from.headers;
    const std::size_t begin = i * segment, end = std::min(payload.size(), begin + segment);
    packet.insert(packet.end(), payload.begin() + static_cast<std::ptrdiff_t>(begin),
                  payload.begin() + static_cast<std::ptrdiff_t>(end));
    const std::size_t ip = from.network, transport = from.transport, length = packet.size() - transport;
    // The pseudo-header as bytes (RFC 793 section 3.1, RFC 8200 section 8.1).
    Bytes pseudo;
    const auto addresses = packet.begin() + static_cast<std::ptrdiff_t>(ip + (from.ipv6 ? 8 : 12));
    pseudo.assign(addresses, addresses + (from.ipv6 ? 32 : 8));
    for (const std::size_t byte : {std::size_t{0}, length >> 16, length >> 8, length, std::size_t{0},
                                   std::size_t{0}, std::size_t{0}, std::size_t{from.protocol}})
        pseudo.push_back(static_cast<unsigned char>(byte));
    if (from.ipv6) {
        put16(packet, ip + 4, packet.size() - ip - 40);
    } else {
        put16(packet, ip + 2, packet.size() - ip);
        put16(packet, ip + 4, (get32(packet, ip + 4) >> 16) + i);
        put16(packet, ip + 10, 0);
        put_check(packet, ip + 10, reference::exact_sum(&packet[ip], (packet[ip] & 15u) * 4));
    }
    std::size_t field = transport + 6;
    if (from.protocol == 6) {
        const std::uint32_t sequence = get32(packet, transport + 4) + static_cast<std::uint32_t>(begin);
        put16(packet, transport + 4, sequence >> 16);
        put16(packet, transport + 6, sequence);
        if (i + 1 != count) packet[transport + 13] &= 0xf6;  // no FIN, no PSH
        if (i != 0) packet[transport + 13] &= 0x7f;          // no CWR
        field = transport + 16;
    } else {
        put16(packet, transport + 4, length);
    }
    put16(packet, field, 0);
    put_check(
        packet, field,
        reference::exact_sum(pseudo.data(), pseudo.size()) + reference::exact_sum(&packet[transport], length));
    if (from.protocol == 17 && packet[field] == 0 && packet[field + 1] == 0) put16(packet, field, 0xffff);
    return packet;
}

onesum_gso_packet large(const Template &from, const Bytes &payload, std::size_t segment) {
    return {from.headers.data(), from.headers.size(), from.network, payload.data(), payload.size(), segment};
}

// Whether the template is refused, and nothing written.
bool refused(const onesum_gso_packet &packet) {
    Bytes packets(200000, 0xa7);
    const bool none = onesum_gso(&packet, packets.data(), 70000) == 0;
    return none && std::all_of(packets.begin(), packets.end(), [](unsigned char byte) { return byte == 0xa7; });
}
bool refused(const Template &from, std::size_t size = 3000, std::size_t segment = 1000) {
    const Bytes payload(size, 0x11);
    return refused(large(from, payload, segment));
}

}  // namespace

TEST_CASE("every kind of template, many sizes: each byte as described, and none between the packets") {
    std::mt19937 random(41);
    Bytes data(70000);
    reference::fill(data.data(), data.size(), reference::Pattern::half_ones, random);
    for (const onesum::dispatch::Kernel &kernel : onesum::dispatch::kernels) {
        if (onesum_select(kernel.name) != 0) continue;
        CAPTURE(kernel.name);
        for (Template from : templates::all())
            for (int round = 0; round < 60; ++round) {
                CAPTURE(from.name);
                // Whatever stands in the fields that are written.
                const std::size_t transport = from.transport;
                for (std::size_t at : {from.network + 4, transport + 4, transport + 6})
                    if (at != from.network + 4 || !from.ipv6)
                        for (int j = 0; j < 2; ++j) from.headers[at + j] = static_cast<unsigned char>(random());
                if (from.protocol == 6 && round % 3 == 0) put16(from.headers, transport + 4, 0xffff);  // wraps
                const std::size_t segment = round % 3 == 0 ? 1448 : round % 3 == 1 ? 1 + random() % 60 : 1368;
                const std::size_t size = random() % (segment < 1000 ? 2000 : 65536);
                const std::size_t count = size == 0 ? 1 : (size + segment - 1) / segment;
                const std::size_t stride = from.headers.size() + segment + random() % 70;
                const Bytes payload(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size));
                const onesum_gso_packet packet = large(from, payload, segment);
                Bytes packets(count * stride + 64, 0xa7), due = packets;
                for (std::size_t i = 0; i < count; ++i) {
                    const Bytes one = packet_due(from, payload, segment, i, count);
                    REQUIRE(onesum_gso_size(&packet, i) == one.size());
                    std::copy(one.begin(), one.end(), &due[i * stride]);
                }
                REQUIRE(onesum_gso(&packet, packets.data(), stride) == count);
                REQUIRE(packets == due);
            }
    }
    onesum_select(nullptr);
}

TEST_CASE("no payload, and a payload of one packet: all flags stay") {
    for (const Template &from : templates::all()) {
        CAPTURE(from.name);
        const Bytes none, some(100, 0x5a);
        for (const Bytes &payload : {none, some}) {
            const onesum_gso_packet packet = large(from, payload, 1448);
            Bytes packets(onesum_gso_size(&packet, 0));
            REQUIRE(onesum_gso(&packet, packets.data(), 2000) == 1);
            CHECK(packets == packet_due(from, payload, 1448, 0, 1));
            if (from.protocol == 6) CHECK(packets[from.transport + 13] == from.headers[from.transport + 13]);
        }
    }
}

TEST_CASE("a UDP checksum that comes out as 0 is stored as 0xffff") {
    const Template from = templates::named("ipv4 udp");
    Bytes payload(2, 0);
    onesum_gso_packet packet = large(from, payload, 1448);
    Bytes packets(from.headers.size() + 2);
    REQUIRE(onesum_gso(&packet, packets.data(), 2000) == 1);
    // What the checksum is over a payload of 0 makes it 0 as the payload.
    std::memcpy(payload.data(), &packets[from.transport + 6], 2);
    REQUIRE(onesum_gso(&packet, packets.data(), 2000) == 1);
    CHECK(packets[from.transport + 6] == 0xff);
    CHECK(packets[from.transport + 7] == 0xff);
}

TEST_CASE("headers flush against unreadable pages") {
    for (const Template &from : templates::all()) {
        const reference::Guarded headers(4096), target(4096);
        std::memcpy(headers.last(from.headers.size()), from.headers.data(), from.headers.size());
        const Bytes payload(1000, 0x77);
        onesum_gso_packet packet = large(from, payload, 400);
        packet.headers = headers.last(from.headers.size());
        const std::size_t stride = from.headers.size() + 400;
        unsigned char *first = target.last(2 * stride + from.headers.size() + 200);
        REQUIRE(onesum_gso(&packet, first, stride) == 3);
        const Bytes last = packet_due(from, payload, 400, 2, 3);
        CHECK(std::equal(last.begin(), last.end(), target.last(last.size())));
        // A template that is cut anywhere is refused without a look past its end.
        for (std::size_t size = 0; size < from.headers.size(); ++size) {
            std::memcpy(headers.last(size), from.headers.data(), size);
            packet.headers = headers.last(size);
            packet.header_size = size;
            REQUIRE(onesum_gso(&packet, target.begin(), stride) == 0);
        }
    }
}

TEST_CASE("what cannot be cut is refused") {
    const auto changed = [](const char *name, std::size_t at, unsigned char byte) {
        Template from = templates::named(name);
        from.headers[at] = byte;
        return from;
    };
    CHECK(!refused(templates::named("ipv4 tcp")));
    CHECK(refused(changed("ipv4 tcp", 14, 0x55)));         // version 5
    CHECK(refused(changed("ipv4 tcp", 14, 0x44)));         // an IHL of 4
    CHECK(refused(changed("ipv4 tcp", 14, 0x46)));         // an IHL of 6, without options
    CHECK(refused(changed("ipv4 tcp", 14 + 6, 0x20)));     // more fragments
    CHECK(refused(changed("ipv4 tcp", 14 + 7, 0x01)));     // an offset
    CHECK(!refused(changed("ipv4 tcp", 14 + 6, 0x40)));    // don't fragment
    CHECK(refused(changed("ipv4 tcp", 14 + 9, 1)));        // ICMP
    CHECK(refused(changed("ipv4 tcp", 14 + 9, 17)));       // UDP whose header would be 20 bytes long
    CHECK(refused(changed("ipv4 tcp", 34 + 12, 0x40)));    // 16 bytes of TCP header
    CHECK(refused(changed("ipv4 tcp", 34 + 12, 0x60)));    // 24
    for (const unsigned char flag : {0x02, 0x04, 0x20}) {  // SYN, RST, URG
        CHECK(refused(changed("ipv4 tcp", 34 + 13, flag)));
        CHECK(!refused(changed("ipv4 tcp", 34 + 13, flag), 1000, 1000));
    }
    // A source route in the 12 bytes of IPv4 options: refused while an address is left, which is the
    // destination that TCP's pseudo-header then has.
    const auto routed = [](unsigned char type, unsigned char length, unsigned char pointer,
                           std::size_t before) {
        Template from = templates::named("ipv4 options tcp");
        Bytes options(12, 1);  // no operations
        options[before] = type;
        options[before + 1] = length;
        options[before + 2] = pointer;
        std::copy(options.begin(), options.end(), &from.headers[34]);
        return from;
    };
    CHECK(refused(routed(131, 11, 4, 1)));
    CHECK(refused(routed(131, 11, 8, 0)));
    CHECK(!refused(routed(131, 11, 9, 0)));  // three bytes are no address
    CHECK(!refused(routed(131, 11, 12, 1)));
    CHECK(refused(routed(137, 7, 4, 5)));
    CHECK(!refused(routed(137, 7, 8, 5)));
    CHECK(!refused(routed(137, 7, 4, 6)));  // longer than there is
    CHECK(!refused(routed(137, 6, 3, 0)));  // no room for an address
    CHECK(!refused(routed(7, 11, 4, 1)));   // recorded, not prescribed
    CHECK(!refused(routed(137, 0, 4, 1)));
    Template ended = routed(131, 11, 4, 1);
    ended.headers[34] = 0;
    CHECK(!refused(ended));
    // Extension headers: 54 is the first byte after the IPv6 header.
    CHECK(!refused(templates::named("ipv6 extensions tcp")));
    CHECK(refused(changed("ipv6 extensions tcp", 14 + 6, 44)));    // a fragment header
    CHECK(refused(changed("ipv6 extensions tcp", 54 + 1, 200)));   // longer than there is
    CHECK(refused(changed("ipv6 extensions tcp", 54 + 2, 0xc2)));  // a jumbo payload
    CHECK(refused(changed("ipv6 extensions tcp", 54 + 3, 5)));     // an option that its header does not hold
    Template cut = changed("ipv6 extensions tcp", 54 + 3, 3);
    cut.headers[54 + 7] = 5;  // an option of which the header has no length
    CHECK(refused(cut));
    CHECK(refused(changed("ipv6 extensions tcp", 62 + 2, 0xc9)));  // a home address
    CHECK(refused(changed("ipv6 extensions tcp", 70 + 3, 1)));     // segments left

    Bytes payload(140000, 0x11);
    const Template tcp = templates::named("ipv4 tcp"), udp6 = templates::named("ipv6 udp");
    CHECK(refused(large(tcp, payload, 0)));
    CHECK(refused(large(tcp, payload, 65536 - 40)));
    CHECK(!refused(large(tcp, payload, 65535 - 40)));
    CHECK(refused(large(udp6, payload, 65536 - 8)));
    CHECK(!refused(large(udp6, payload, 65535 - 8)));
    CHECK(refused(large(tcp, payload, SIZE_MAX)));
    onesum_gso_packet packet = large(tcp, payload, 1448);
    packet.network = packet.header_size + 1;
    CHECK(refused(packet));
    packet.network = SIZE_MAX;
    CHECK(refused(packet));
}
