// Readers of TCP, UDP, UDP-Lite, DCCP and SCTP. SPDX-License-Identifier: MIT
#include "packet/readers.h"

namespace onesum::packet {

void tcp(Walk &walk, const Layer &layer) {
    if (!layer.has(18)) return;
    const size_t header = (walk.bytes.byte(layer.at + 12) >> 4) * size_t{4};
    Claim &claim =
        walk.claim_pseudo(ONESUM_PROTOCOL_TCP, layer, 16, layer.size(), rule::offload, 6, layer.size());
    if (header < 20 || (header > layer.size() && !layer.network->fragment())) claim.rules |= rule::malformed;
}

namespace {

bool allows_zero_over_ipv6(const onesum_packet_options &options, unsigned from, unsigned to) {
    if (!(options.flags & ONESUM_PACKET_ALLOW_ZERO_UDP6)) return false;
    if (options.zero_udp6_port_count == 0 || !options.zero_udp6_ports) return true;
    return std::any_of(options.zero_udp6_ports, options.zero_udp6_ports + options.zero_udp6_port_count,
                       [&](unsigned port) { return port == from || port == to; });
}

}  // namespace

void udp(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    uint8_t scratch[8];
    const uint8_t *header = walk.bytes.read(layer.at, 8, scratch);
    const unsigned from = be16(header), to = be16(header + 2);
    size_t length = be16(header + 4);
    // 0 where the length does not fit: in a jumbogram (RFC 2675 section 4), or before segmentation.
    if (length == 0 && (layer.network->tso() || layer.size() > 0xffff)) length = layer.size();
    const bool absent = layer.network->version == 4 || allows_zero_over_ipv6(walk.options, from, to);
    Claim &claim = walk.claim_pseudo(
        ONESUM_PROTOCOL_UDP, layer, 6, length,
        rule::offload | rule::ones_for_zero | (absent ? rule::zero_absent : rule::zero_illegal), 17, length);
    if (length < 8) {
        claim.rules |= rule::malformed;
        return;
    }
    walk.enter(by_udp_ports(from, to), layer.first(length).after(8));
}

// RFC 3828: the length field says how much is covered, 0 for all; the pseudo-header has IP's length.
void udplite(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    const size_t stated = walk.bytes.number16(layer.at + 4);
    const size_t covered = stated == 0 ? layer.size() : stated;
    Claim &claim =
        walk.claim_pseudo(ONESUM_PROTOCOL_UDPLITE, layer, 6, covered,
                          rule::offload | rule::ones_for_zero | rule::zero_illegal, 136, layer.size());
    if (covered < 8 || (covered > layer.size() && !layer.network->fragment())) claim.rules |= rule::malformed;
}

// RFC 4340 section 9.2: header and options, and CsCov - 1 words of the data; 0 is all of it.
void dccp(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    uint8_t scratch[8];
    const uint8_t *header = walk.bytes.read(layer.at, 8, scratch);
    const size_t size = header[4] * size_t{4};
    const unsigned coverage = header[5] & 15;
    const size_t covered = coverage == 0 ? layer.size() : size + (coverage - 1) * size_t{4};
    Claim &claim = walk.claim_pseudo(ONESUM_PROTOCOL_DCCP, layer, 6, covered, rule::offload, 33, layer.size());
    if (size < 12 || ((size > layer.size() || covered > layer.size()) && !layer.network->fragment()))
        claim.rules |= rule::malformed;
}

// RFC 9260 section 6.8: a CRC32c over all of it, which is only named.
void sctp(Walk &walk, const Layer &layer) {
    if (layer.has(12)) walk.claim(ONESUM_PROTOCOL_SCTP, layer, 8, layer.size()).reason = ONESUM_REASON_CRC32C;
}

}  // namespace onesum::packet
