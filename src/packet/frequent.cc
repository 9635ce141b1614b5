// The frequent packets at one look. SPDX-License-Identifier: MIT
//
// Most packets are TCP and UDP over plain IP, and most of them are right. For these the way through the readers
// costs more than the sums. Here only that case is told: whatever is not exactly so, or not right, is left to
// the readers, which find the same for these packets as well (and tests hold the two to it).
#include "packet/readers.h"

namespace onesum::packet {

namespace {

uint16_t load16(const uint8_t *at) {
    uint16_t value;
    std::memcpy(&value, at, 2);
    return value;
}

void put_good(onesum_packet_result &result, onesum_protocol protocol, size_t at, size_t size, size_t field,
              uint16_t stored, unsigned flags) {
    result.offset = at + field;
    result.covered[0] = {at, size};
    result.covered[1] = {at, 0};
    result.stored = stored;
    result.expected = stored;
    result.protocol = static_cast<uint8_t>(protocol);
    result.verdict = ONESUM_VERDICT_GOOD;
    result.reason = ONESUM_REASON_NONE;
    result.flags = static_cast<uint8_t>(flags | ONESUM_RESULT_EXPECTED);
}

// Where the IP header is and of which version, by what comes before it; version 0 where that is not told here.
struct Place {
    size_t at;
    unsigned version;
};

Place by_type(size_t at, unsigned type) { return {at, type == 0x0800 ? 4u : type == 0x86dd ? 6u : 0u}; }

Place find_ip(const uint8_t *packet, size_t size, uint32_t start) {
    constexpr size_t longest = 20;  // of the headers below
    if (size < longest) return {0, 0};
    switch (start) {
        case ONESUM_LINK_ETHERNET: {
            constexpr unsigned vlan_tag = 0x8100;
            const unsigned type = be16(packet + 12);
            return type == vlan_tag ? by_type(18, be16(packet + 16)) : by_type(14, type);
        }
        case ONESUM_LINK_RAW:
            return {0, packet[0] / 16u};
        case ONESUM_LINK_IPV4:
            return {0, 4};
        case ONESUM_LINK_IPV6:
            return {0, 6};
        case ONESUM_LINK_LINUX_COOKED:
            return by_type(16, be16(packet + 14));
        case ONESUM_LINK_LINUX_COOKED2:
            return by_type(20, be16(packet));
        default:
            return {0, 0};
    }
}

}  // namespace

unsigned check_frequent(const uint8_t *packet, size_t size, uint32_t start, onesum_packet_result *results,
                        Summed &summed) {
    const Place ip = find_ip(packet, size, start);
    const uint8_t *header = packet + ip.at;
    const size_t there = size - ip.at;
    size_t header_size, length;  // of IP, and of what it carries
    unsigned protocol;
    if (ip.version == 4) {
        header_size = 20;
        if (there < header_size) return 0;
        const size_t total = be16(header + 2);
        const bool fragment = be16(header + 6) & 0x3fff;
        if (header[0] != 0x45 || fragment || total < header_size || total > there) return 0;
        summed.bytes = header_size;
        if (onesum_ipv4_header(header, 5) != 0) return 0;
        length = total - header_size;
        protocol = header[9];
    } else if (ip.version == 6) {
        header_size = 40;
        if (there < header_size || header[0] >> 4 != 6) return 0;
        length = be16(header + 4);
        if (length > there - header_size) return 0;
        protocol = header[6];
    } else {
        return 0;
    }

    const uint8_t *segment = header + header_size;
    size_t field;
    if (protocol == 6) {
        field = 16;
        if (length < 20) return 0;
        const size_t segment_header = (segment[12] >> 4) * size_t{4};
        if (segment_header < 20 || segment_header > length) return 0;
    } else if (protocol == 17) {
        field = 6;
        if (length < 8 || be16(segment + 4) != length || load16(segment + field) == 0) return 0;
        if (by_udp_port(be16(segment)) || by_udp_port(be16(segment + 2))) return 0;
    } else {
        return 0;
    }
    const uint8_t number = static_cast<uint8_t>(protocol);
    const uint32_t pseudo =
        ip.version == 4 ? onesum_pseudo_ipv4(header + 12, header + 16, static_cast<uint32_t>(length), number, 0)
                        : onesum_pseudo_ipv6(header + 8, header + 24, static_cast<uint32_t>(length), number, 0);
    const size_t transport = ip.at + header_size;
    summed = {{transport, length}, onesum_partial(segment, length, 0), summed.bytes + length};
    if (onesum_fold(onesum_add(summed.sum, pseudo)) != 0) return 0;

    unsigned count = 0;
    if (ip.version == 4)
        put_good(results[count++], ONESUM_PROTOCOL_IPV4, ip.at, header_size, 10, load16(header + 10), 0);
    put_good(results[count++], protocol == 6 ? ONESUM_PROTOCOL_TCP : ONESUM_PROTOCOL_UDP, transport, length,
             field, load16(segment + field), ONESUM_RESULT_PSEUDO);
    return count;
}

}  // namespace onesum::packet
