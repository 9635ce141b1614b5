// Readers of tunnels. SPDX-License-Identifier: MIT
#include <iterator>

#include "packet/readers.h"

namespace onesum::packet {

// ---- GRE ----

namespace {

// Version 1 (RFC 2637): PPP, with an acknowledgement perhaps.
void gre1(Walk &walk, const Layer &layer, unsigned flags) {
    const size_t size = 8u + (flags & 0x1000 ? 4 : 0) + (flags & 0x0080 ? 4 : 0);
    if (!layer.has(size)) return;
    const size_t payload = walk.bytes.number16(layer.at + 4);
    if (flags & 0x1000 && payload != 0) walk.enter(ppp, layer.after(size).first(payload));
}

// A list of source routes ends with an empty one (RFC 1701).
bool skip_routes(const Walk &walk, Layer &layer) {
    while (layer.has(4)) {
        uint8_t scratch[4];
        const uint8_t *route = walk.bytes.read(layer.at, 4, scratch);
        const size_t size = 4u + route[3];
        const bool last = be16(route) == 0 && route[3] == 0;
        if (!layer.has(size)) return false;
        layer = layer.after(size);
        if (last) return true;
    }
    return false;
}

}  // namespace

void gre(Walk &walk, const Layer &layer) {
    if (!layer.has(4)) return;
    const unsigned flags = walk.bytes.number16(layer.at), type = walk.bytes.number16(layer.at + 2);
    if ((flags & 7) == 1 && type == 0x880b) return gre1(walk, layer, flags);
    if ((flags & 7) != 0) return;
    const bool checksum = flags & 0x8000, routing = flags & 0x4000, key = flags & 0x2000,
               sequence = flags & 0x1000;
    // RFC 2784 and RFC 2890: the checksum covers header and payload.
    if (checksum && layer.has(6)) walk.claim(ONESUM_PROTOCOL_GRE, layer, 4, layer.size(), rule::offload);
    const size_t size = 4u + (checksum || routing ? 4 : 0) + (key ? 4 : 0) + (sequence ? 4 : 0);
    if (!layer.has(size)) return;
    Layer payload = layer.after(size);
    if (routing && !skip_routes(walk, payload)) return;
    // ERSPAN's type I has type II's number, and neither a sequence number nor a header.
    if (type == 0x88be && !sequence) return walk.enter(ethernet, payload);
    walk.enter(by_ethertype(type), payload);
}

// 8 bytes, then the mirrored frame.
void erspan2(Walk &walk, const Layer &layer) {
    if (layer.has(8)) walk.enter(ethernet, layer.after(8));
}

// 12 bytes, 8 more with its lowest bit; then the mirrored frame, or an IP packet, by the frame type.
void erspan3(Walk &walk, const Layer &layer) {
    if (!layer.has(12)) return;
    const unsigned flags = walk.bytes.number16(layer.at + 10);
    const size_t size = flags & 1 ? 20 : 12;
    if (!layer.has(size)) return;
    const unsigned type = flags >> 10 & 31;
    if (type == 0) walk.enter(ethernet, layer.after(size));
    if (type == 2) walk.enter(ip, layer.after(size));
}

// WCCP puts 4 bytes before the packet in its version 2, and none in version 1.
void wccp(Walk &walk, const Layer &layer) {
    if (!layer.has(4)) return;
    walk.enter(ip, walk.bytes.byte(layer.at) >> 4 == 4 ? layer : layer.after(4));
}

// ---- In UDP ----

namespace {

// The numbers of NSH (RFC 8300 section 2.2), which VXLAN-GPE shares.
void next_protocol(Walk &walk, const Layer &layer, unsigned number) {
    constexpr Reader readers[] = {nullptr, ipv4, ipv6, ethernet, nsh, mpls};
    if (number < std::size(readers)) walk.enter(readers[number], layer);
}

}  // namespace

// RFC 7348: 8 bytes with the bit that the network's number is valid.
void vxlan(Walk &walk, const Layer &layer) {
    if (layer.has(8) && walk.bytes.byte(layer.at) & 0x08) walk.enter(ethernet, layer.after(8));
}

void vxlan_gpe(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    const unsigned flags = walk.bytes.byte(layer.at);
    if (flags & 0x30) return;  // version
    next_protocol(walk, layer.after(8), flags & 0x04 ? walk.bytes.byte(layer.at + 3) : 3u);
}

// RFC 8300: its length in words in the low 6 bits of the first two bytes.
void nsh(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    const unsigned first = walk.bytes.number16(layer.at);
    const size_t size = (first & 63) * size_t{4};
    if (first >> 14 == 0 && size >= 8 && layer.has(size))
        next_protocol(walk, layer.after(size), walk.bytes.byte(layer.at + 3));
}

// RFC 8926: options' length in words in the low 6 bits, then an Ethernet type at byte 2.
void geneve(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    const unsigned first = walk.bytes.byte(layer.at);
    const size_t size = 8 + (first & 63) * size_t{4};
    if (first >> 6 == 0 && layer.has(size))
        walk.enter(by_ethertype(walk.bytes.number16(layer.at + 2)), layer.after(size));
}

// 3GPP TS 29.281 section 5: version 1, message 255 carries a user's packet, behind a chain of extensions.
void gtp_user(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    uint8_t scratch[4];
    const uint8_t *header = walk.bytes.read(layer.at, 4, scratch);
    const unsigned flags = header[0];
    if ((flags & 0xf0) != 0x30 || header[1] != 255) return;
    Layer rest = layer.after(8).first(be16(header + 2));
    if (flags & 7) {
        if (!rest.has(4)) return;
        unsigned next = flags & 4 ? walk.bytes.byte(rest.at + 3) : 0u;
        rest = rest.after(4);
        while (next != 0) {
            if (!rest.has(4)) return;
            const size_t size = walk.bytes.byte(rest.at) * size_t{4};
            if (size == 0 || !rest.has(size)) return;
            next = walk.bytes.byte(rest.at + size - 1);
            rest = rest.after(size);
        }
    }
    if (rest.has(1)) walk.enter(ip, rest);
}

// RFC 4380 section 5.1.1: perhaps authentication, perhaps the origin's address, then an IPv6 packet.
void teredo(Walk &walk, const Layer &layer) {
    Layer rest = layer;
    if (rest.has(4) && walk.bytes.number16(rest.at) == 1) {
        const size_t size = 13u + walk.bytes.byte(rest.at + 2) + walk.bytes.byte(rest.at + 3);
        if (!rest.has(size)) return;
        rest = rest.after(size);
    }
    if (rest.has(8) && walk.bytes.number16(rest.at) == 0) rest = rest.after(8);
    if (rest.has(1)) walk.enter(ipv6, rest);
}

// RFC 2661 section 3.1: a data message of version 2, then PPP.
void l2tp(Walk &walk, const Layer &layer) {
    if (!layer.has(6)) return;
    const unsigned flags = walk.bytes.number16(layer.at);
    if (flags & 0x8000 || (flags & 15) != 2) return;
    Layer rest = layer;
    size_t size = 6;
    if (flags & 0x4000) {
        rest = rest.first(walk.bytes.number16(rest.at + 2));
        size += 2;
    }
    if (flags & 0x0800) size += 4;
    if (flags & 0x0200) {
        if (!rest.has(size + 2)) return;
        size += 2u + walk.bytes.number16(rest.at + size);
    }
    if (rest.has(size)) walk.enter(ppp, rest.after(size));
}

// RFC 9300 section 5: 8 bytes, then an IP packet.
void lisp(Walk &walk, const Layer &layer) {
    if (layer.has(8)) walk.enter(ip, layer.after(8));
}

// RFC 3948: ESP, unless 4 zero bytes or a single byte say otherwise.
void esp_in_udp(Walk &walk, const Layer &layer) {
    uint8_t scratch[4];
    if (layer.has(4) && be32(walk.bytes.read(layer.at, 4, scratch)) != 0) walk.enter(esp, layer);
}

// ---- In IP ----

// RFC 3378: 2 bytes of version 3, then the frame.
void etherip(Walk &walk, const Layer &layer) {
    if (layer.has(2) && walk.bytes.byte(layer.at) == 0x30) walk.enter(ethernet, layer.after(2));
}

}  // namespace onesum::packet
