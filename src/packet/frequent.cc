// The frequent packets at one look. SPDX-License-Identifier: MIT
//
// Most packets are TCP, UDP, ICMP or neighbour discovery over plain IP, perhaps in VXLAN, and their checksums
// are right, left to the network card or absent. For these the way through the readers costs more than the
// sums. Here only that case is told: whatever is not exactly so is left to the readers, which find the same for
// these packets as well (and tests hold the two to it).
#include "packet/readers.h"

namespace onesum::packet {

namespace {

uint16_t load16(const uint8_t *at) {
    uint16_t value;
    std::memcpy(&value, at, 2);
    return value;
}

// Where an IP header is and of which version, by what comes before it; version 0 where that is not told here.
struct Place {
    size_t at;
    unsigned version;
};

Place by_type(size_t at, unsigned type) { return {at, type == 0x0800 ? 4u : type == 0x86dd ? 6u : 0u}; }

constexpr size_t longest = 20;  // of the headers below

Place behind_ethernet(const uint8_t *packet, size_t at) {
    constexpr unsigned vlan_tag = 0x8100;
    const unsigned type = be16(packet + at + 12);
    return type == vlan_tag ? by_type(at + 18, be16(packet + at + 16)) : by_type(at + 14, type);
}

Place find_ip(const uint8_t *packet, size_t size, uint32_t start) {
    if (size < longest) return {0, 0};
    switch (start) {
        case ONESUM_LINK_ETHERNET:
            return behind_ethernet(packet, 0);
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

// Messages of ICMP that have nothing behind them which is looked into: echo; and of ICMPv6: echo, multicast
// listeners, routers and neighbours.
bool is_plain_icmp(unsigned type) { return type == 0 || type == 8; }
bool is_plain_icmpv6(unsigned type) { return (type >= 128 && type <= 136) || type == 143; }

// The 8 bytes of hop-by-hop options that each message about multicast listeners has: a router alert (RFC 2711)
// and a PadN without data.
bool is_router_alert(const uint8_t *options) {
    return options[1] == 0 && options[2] == 5 && options[3] == 2 && options[6] == 1 && options[7] == 0;
}

}  // namespace

unsigned check_frequent(const uint8_t *packet, size_t size, uint32_t start, onesum_packet_result *results,
                        size_t room, Summed &summed) {
    Place ip = find_ip(packet, size, start);
    size_t limit = size;  // where the bytes end that the headers so far allow
    unsigned count = 0;
    const auto put = [&](onesum_protocol protocol, size_t at, size_t covered, size_t field, uint16_t stored,
                         uint16_t expected, onesum_verdict verdict, unsigned flags) {
        results[count++] = {at + field,
                            {{at, covered}, {at, 0}},
                            stored,
                            expected,
                            static_cast<uint8_t>(protocol),
                            static_cast<uint8_t>(verdict),
                            ONESUM_REASON_NONE,
                            static_cast<uint8_t>(flags | ONESUM_RESULT_EXPECTED)};
    };
    if (room < 4) return 0;
    // One turn for each IP header: the packet's, and that in a tunnel. Each is at most two results.
    for (unsigned turn = 0; turn < 2; ++turn) {
        const uint8_t *const header = packet + ip.at;
        const size_t there = limit - ip.at;
        size_t header_size, length;  // of IP, and of what it carries
        unsigned protocol;
        uint32_t pseudo;  // the pseudo-header's sum without a length
        if (ip.version == 4) {
            header_size = 20;
            if (there < header_size) return 0;
            const size_t total = be16(header + 2);
            const bool fragment = be16(header + 6) & 0x3fff;
            if (header[0] != 0x45 || fragment || total < header_size || total > there) return 0;
            summed.bytes += header_size;
            if (onesum_ipv4_header(header, 5) != 0) return 0;
            const uint16_t stored = load16(header + 10);
            put(ONESUM_PROTOCOL_IPV4, ip.at, header_size, 10, stored, stored, ONESUM_VERDICT_GOOD, 0);
            length = total - header_size;
            protocol = header[9];
            pseudo = onesum_pseudo_ipv4(header + 12, header + 16, 0, static_cast<uint8_t>(protocol), 0);
        } else if (ip.version == 6) {
            header_size = 40;
            if (there < header_size || header[0] >> 4 != 6) return 0;
            length = be16(header + 4);
            if (length > there - header_size) return 0;
            protocol = header[6];
            if (protocol == 0) {
                if (length < 8 || !is_router_alert(header + header_size)) return 0;
                protocol = header[header_size];
                header_size += 8;
                length -= 8;
            }
            pseudo = onesum_pseudo_ipv6(header + 8, header + 24, 0, static_cast<uint8_t>(protocol), 0);
        } else {
            return 0;
        }

        const size_t transport = ip.at + header_size;
        const uint8_t *const segment = packet + transport;
        onesum_protocol name;
        size_t field;
        switch (protocol) {
            case 6: {
                name = ONESUM_PROTOCOL_TCP;
                field = 16;
                if (length < 20) return 0;
                const size_t segment_header = (segment[12] >> 4) * size_t{4};
                if (segment_header < 20 || segment_header > length) return 0;
                break;
            }
            case 17:
                name = ONESUM_PROTOCOL_UDP;
                field = 6;
                if (length < 8 || be16(segment + 4) != length) return 0;
                break;
            case 1:
                name = ONESUM_PROTOCOL_ICMP;
                field = 2;
                if (length < 8 || !is_plain_icmp(segment[0])) return 0;
                break;
            case 58:
                name = ONESUM_PROTOCOL_ICMPV6;
                field = 2;
                if (length < 8 || ip.version != 6 || !is_plain_icmpv6(segment[0])) return 0;
                break;
            default:
                return 0;
        }
        const uint32_t sum = onesum_partial(segment, length, 0);
        summed.bytes += length;
        // The outermost, of which there is most.
        if (summed.range.size == 0) summed.range = {transport, length}, summed.sum = sum;
        pseudo = onesum_add(pseudo, onesum_network32(static_cast<uint32_t>(length)));
        const unsigned flags = protocol == 1 ? 0u : unsigned{ONESUM_RESULT_PSEUDO};
        const uint32_t total = protocol == 1 ? sum : onesum_add(sum, pseudo);
        const uint16_t stored = load16(segment + field);
        if (protocol == 17 && stored == 0) {
            if (ip.version == 6) return 0;
            put(name, transport, length, field, 0, onesum_fold_udp(total), ONESUM_VERDICT_ABSENT, flags);
        } else if (onesum_fold(total) == 0) {
            put(name, transport, length, field, stored, stored, ONESUM_VERDICT_GOOD, flags);
        } else {
            // Left to a network card, with the pseudo-header's sum in the field?
            if ((protocol != 6 && protocol != 17) || stored != static_cast<uint16_t>(~onesum_fold(pseudo)))
                return 0;
            const uint32_t rest = onesum_sub(total, stored);
            const uint16_t expected = protocol == 17 ? onesum_fold_udp(rest) : onesum_fold(rest);
            put(name, transport, length, field, stored, expected, ONESUM_VERDICT_PARTIAL, flags);
        }

        if (protocol != 17) return count;
        const Reader tunnel = by_udp_ports(be16(segment), be16(segment + 2));
        if (!tunnel) return count;
        // 8 bytes with the bit that the network's number is valid (RFC 7348), then the frame.
        if (tunnel != vxlan || length < 8 + 8 + longest || !(segment[8] & 0x08)) return 0;
        limit = transport + length;
        ip = behind_ethernet(packet, transport + 8 + 8);
    }
    return 0;
}

}  // namespace onesum::packet
