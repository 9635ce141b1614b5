// Readers of link layers, and of what lies between them and IP. SPDX-License-Identifier: MIT
#include "packet/readers.h"

namespace onesum::packet {

namespace {

constexpr unsigned least_ethertype = 0x600;  // below it the field is a length (IEEE 802.3)

// From an Ethernet type field `at` bytes into the layer on, past any VLAN tags: 2 bytes of tag, then the next
// type.
void type_field(Walk &walk, const Layer &layer, size_t at) {
    for (; layer.has(at + 2); at += 4) {
        const unsigned type = walk.bytes.number16(layer.at + at);
        if (type < least_ethertype) return walk.enter(llc, layer.after(at + 2).first(type));
        const Reader reader = by_ethertype(type);
        if (reader != vlan) return walk.enter(reader, layer.after(at + 2));
    }
}

// From a network layer protocol identifier on (ISO/IEC TR 9577).
void nlpid(Walk &walk, const Layer &layer) {
    if (!layer.has(1)) return;
    switch (walk.bytes.byte(layer.at)) {
        case 0xcc:
            return walk.enter(ipv4, layer.after(1));
        case 0x8e:
            return walk.enter(ipv6, layer.after(1));
        case 0xcf:
            return walk.enter(ppp, layer.after(1));
        case 0x80:
            return snap(walk, layer.after(1));
    }
}

}  // namespace

void ethernet(Walk &walk, const Layer &layer) { type_field(walk, layer, 12); }

void vlan(Walk &walk, const Layer &layer) { type_field(walk, layer, 2); }

// Cisco MetaData: version 1, length 1, an option and a group tag, in all 6 bytes. On Ethernet the type comes
// behind them, in GRE before.
void metadata(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    if (walk.bytes.number16(layer.at) == 0x0101) return type_field(walk, layer, 6);
    if (walk.bytes.number16(layer.at + 2) == 0x0101)
        walk.enter(by_ethertype(walk.bytes.number16(layer.at)), layer.after(8));
}

// 6 or 4 bytes of tag, then a type.
void tag_of_6(Walk &walk, const Layer &layer) { type_field(walk, layer, 6); }
void tag_of_4(Walk &walk, const Layer &layer) { type_field(walk, layer, 4); }

// IEEE 802.1ah: 4 bytes of tag, then the customer's frame.
void backbone(Walk &walk, const Layer &layer) {
    if (layer.has(4)) walk.enter(ethernet, layer.after(4));
}

// From the SNAP header's organisation on: 3 bytes, then a type that it defines (RFC 1042).
void snap(Walk &walk, const Layer &layer) {
    if (!layer.has(5)) return;
    uint8_t scratch[5];
    const uint8_t *header = walk.bytes.read(layer.at, 5, scratch);
    const uint32_t organisation = be32(header) >> 8;
    const unsigned type = be16(header + 3);
    if (organisation == 0x000000 || organisation == 0x0000f8) return type_field(walk, layer, 3);
    // RFC 2684 and RFC 2427: a bridged Ethernet frame with or without its FCS; ATM pads its header by 2 bytes,
    // which a destination address in these bytes cannot be told from, so that only Frame Relay's is read.
    if (organisation == 0x0080c2 && (type == 0x0001 || type == 0x0007)) walk.enter(ethernet, layer.after(5));
}

void llc(Walk &walk, const Layer &layer) {
    if (!layer.has(3)) return;
    uint8_t scratch[3];
    const uint8_t *header = walk.bytes.read(layer.at, 3, scratch);
    if (header[2] != 0x03) return;  // only unnumbered information
    if (header[0] == 0xaa && header[1] == 0xaa) return snap(walk, layer.after(3));
    if (header[0] == 0x06 && header[1] == 0x06) return walk.enter(ipv4, layer.after(3));
    if (header[0] == 0xfe && header[1] == 0xfe) return nlpid(walk, layer.after(3));
}

void linux_cooked(Walk &walk, const Layer &layer) {
    if (!layer.has(16)) return;
    const unsigned type = walk.bytes.number16(layer.at + 14);
    if (type == 0x0004) return llc(walk, layer.after(16));
    if (type >= least_ethertype) type_field(walk, layer, 14);
}

void linux_cooked2(Walk &walk, const Layer &layer) {
    if (!layer.has(20)) return;
    const unsigned type = walk.bytes.number16(layer.at);
    if (type == 0x0004) return llc(walk, layer.after(20));
    walk.enter(by_ethertype(type), layer.after(20));
}

// A BSD family, in the byte order of the machine that captured: 2 is IPv4; IPv6 is 24, 28 or 30 by the system.
void loopback(Walk &walk, const Layer &layer) {
    if (!layer.has(4)) return;
    uint8_t scratch[4];
    const uint8_t *header = walk.bytes.read(layer.at, 4, scratch);
    const unsigned high = be16(header), low = be16(header + 2);
    if (high == 0xff03 || high == 0x0f00)
        return ppp_or_hdlc(walk, layer);  // of interfaces that are no loopback
    const unsigned family = high == 0 ? low : low == 0 ? (high & 0xff) << 8 | high >> 8 : 0;
    if (family == 2) return walk.enter(ipv4, layer.after(4));
    if (family == 10 || family == 24 || family == 28 || family == 30) walk.enter(ipv6, layer.after(4));
}

// Of OpenBSD's IPsec: a family, an index and flags, of 4 bytes each.
void ipsec_log(Walk &walk, const Layer &layer) {
    if (layer.has(12)) walk.enter(ip, layer.after(12));
}

// What the packet filter of the BSDs logs: a length, not counting the padding to 4 bytes; the rest of the
// header is of no use here.
void filter_log(Walk &walk, const Layer &layer) {
    if (!layer.has(1)) return;
    const size_t size = (walk.bytes.byte(layer.at) + size_t{3}) / 4 * 4;
    if (layer.has(size)) walk.enter(ip, layer.after(size));
}

// Tags of switches, 4 or 8 bytes before the type, or 4 before the frame.
void switch_tag_of_4(Walk &walk, const Layer &layer) { type_field(walk, layer, 16); }
void switch_tag_of_8(Walk &walk, const Layer &layer) { type_field(walk, layer, 20); }
void switch_tag_before(Walk &walk, const Layer &layer) {
    if (layer.has(4)) walk.enter(ethernet, layer.after(4));
}

// ---- PPP and HDLC ----

// From the PPP protocol on: 2 bytes, or 1 where it is odd (RFC 1661 section 2).
void ppp(Walk &walk, const Layer &layer) {
    Layer rest = layer;
    if (rest.has(2) && walk.bytes.number16(rest.at) == 0xff03) rest = rest.after(2);  // RFC 1662
    if (!rest.has(1)) return;
    unsigned protocol = walk.bytes.byte(rest.at);
    if (protocol & 1) return walk.enter(by_ppp_protocol(protocol), rest.after(1));
    if (!rest.has(2)) return;
    protocol = walk.bytes.number16(rest.at);
    walk.enter(by_ppp_protocol(protocol), rest.after(2));
}

void cisco_hdlc(Walk &walk, const Layer &layer) { type_field(walk, layer, 2); }

// Serial lines carry either, and captures don't always say which.
void ppp_or_hdlc(Walk &walk, const Layer &layer) {
    if (!layer.has(2)) return;
    const unsigned address = walk.bytes.number16(layer.at);
    if (address == 0x0f00 || address == 0x8f00) return cisco_hdlc(walk, layer);
    ppp(walk, layer);
}

// RFC 3518: 2 bytes of flags and of a type (1 is Ethernet), then the frame.
void ppp_bridged(Walk &walk, const Layer &layer) {
    if (layer.has(2) && walk.bytes.byte(layer.at + 1) == 1) walk.enter(ethernet, layer.after(2));
}

void pppoe(Walk &walk, const Layer &layer) {
    if (!layer.has(6)) return;
    uint8_t scratch[6];
    const uint8_t *header = walk.bytes.read(layer.at, 6, scratch);
    if (header[0] != 0x11 || header[1] != 0) return;  // version 1, type 1, session data (RFC 2516)
    walk.enter(ppp, layer.after(6).first(be16(header + 4)));
}

void after_direction(Walk &walk, const Layer &layer, Reader reader) {
    if (layer.has(1)) reader(walk, layer.after(1));
}
void directed_ppp(Walk &walk, const Layer &layer) { after_direction(walk, layer, ppp_or_hdlc); }
void directed_hdlc(Walk &walk, const Layer &layer) { after_direction(walk, layer, cisco_hdlc); }
void directed_frame_relay(Walk &walk, const Layer &layer) { after_direction(walk, layer, frame_relay); }

// A Q.922 address of 2 to 4 bytes, the last with its lowest bit set; then RFC 2427's control byte 3, a pad of 0
// perhaps, and an NLPID; or, as Cisco has it, an Ethernet type.
void frame_relay(Walk &walk, const Layer &layer) {
    size_t size = 0;
    do {
        if (size == 4 || !layer.has(size + 1)) return;
    } while (!(walk.bytes.byte(layer.at + size++) & 1));
    Layer rest = layer.after(size);
    if (size < 2 || !rest.has(2)) return;
    const unsigned next = walk.bytes.number16(rest.at);
    if (next >> 8 != 0x03) return type_field(walk, rest, 0);
    nlpid(walk, rest.after((next & 0xff) == 0 ? 2 : 1));
}

// ---- MPLS ----

namespace {

// Whether these could be the first bytes of a frame whose type is known, with the IP version that the type
// says.
bool could_be_ethernet(const Walk &walk, const Layer &layer) {
    if (!layer.has(15)) return false;
    const Reader reader = by_ethertype(walk.bytes.number16(layer.at + 12));
    const unsigned version = walk.bytes.byte(layer.at + 14) >> 4;
    return reader == ipv4 ? version == 4 : reader == ipv6 ? version == 6 : reader != nullptr;
}

// Whether an IP header, by its version, holds what one does: a right checksum, or a length that fits.
bool could_be_ip(const Walk &walk, const Layer &layer) {
    const unsigned first = walk.bytes.byte(layer.at);
    if (first >> 4 == 6) return layer.has(6) && walk.bytes.number16(layer.at + 4) + size_t{40} <= layer.size();
    const size_t size = (first & 15) * size_t{4};
    return size >= 20 && layer.has(size) && onesum_fold(walk.bytes.partial(layer.at, size, 0)) == 0;
}

}  // namespace

// Labels up to the bottom of the stack. Nothing says what follows: it is guessed from the first 4 bits, which
// are a version in IP, 0 in a pseudowire's control word (RFC 4385), and anything in an Ethernet frame without,
// so that what looks like IP may be the address of one (RFC 8469).
void mpls(Walk &walk, const Layer &layer) {
    Layer rest = layer;
    bool bottom = false;
    while (!bottom) {
        if (!rest.has(4)) return;
        bottom = walk.bytes.byte(rest.at + 2) & 1;
        rest = rest.after(4);
    }
    if (!rest.has(1)) return;
    const unsigned first = walk.bytes.byte(rest.at) >> 4;
    const bool is_frame = could_be_ethernet(walk, rest);
    if ((first == 4 || first == 6) && (!is_frame || could_be_ip(walk, rest))) return walk.enter(ip, rest);
    if (first == 0 && rest.has(4) && could_be_ethernet(walk, rest.after(4)))
        return walk.enter(ethernet, rest.after(4));
    if (is_frame) walk.enter(ethernet, rest);
}

// ---- Wireless, and wrappers around other link types ----

namespace {

unsigned little16(const Walk &walk, size_t at) {
    return static_cast<unsigned>(walk.bytes.byte(at) | walk.bytes.byte(at + 1) << 8);
}
uint32_t little32(const Walk &walk, size_t at) {
    return little16(walk, at) | uint32_t{little16(walk, at + 2)} << 16;
}

// A-MSDU (section 9.3.2.2): frames in one, each with two addresses, a length, LLC, and padding to 4 bytes.
void wireless_frames(Walk &walk, Layer rest) {
    while (rest.has(14)) {
        const size_t size = 14u + walk.bytes.number16(rest.at + 12);
        llc(walk, rest.first(size).after(14));
        if (!rest.has((size + 3) / 4 * 4)) return;
        rest = rest.after((size + 3) / 4 * 4);
    }
}

// IEEE 802.11, section 9.2: a header of 24 bytes; a fourth address where a frame passes between access points;
// QoS control, and with it HT control by the order bit. Then, in a data frame that is not encrypted, LLC. Some
// cards pad the header to a multiple of 4 bytes.
void wireless_frame(Walk &walk, const Layer &layer, bool padded) {
    if (!layer.has(24)) return;
    const unsigned control = walk.bytes.byte(layer.at), flags = walk.bytes.byte(layer.at + 1);
    constexpr unsigned version_and_type = 0x0f, data = 0x08, without_body = 0x40, with_qos = 0x80;
    constexpr unsigned both_distribution = 0x03, encrypted = 0x40, order = 0x80;
    if ((control & version_and_type) != data || control & without_body || flags & encrypted) return;
    if (walk.bytes.byte(layer.at + 22) & 0x0f) return;  // a fragment, but for the first
    size_t size = (flags & both_distribution) == both_distribution ? 30 : 24;
    bool several = false;
    if (control & with_qos) {
        if (!layer.has(size + 2)) return;
        several = walk.bytes.byte(layer.at + size) & 0x80;
        size += flags & order ? 6 : 2;
    }
    if (padded) size = (size + 3) / 4 * 4;
    if (!layer.has(size)) return;
    const Layer body = layer.after(size);
    several ? wireless_frames(walk, body) : llc(walk, body);
}

}  // namespace

void wireless(Walk &walk, const Layer &layer) { wireless_frame(walk, layer, false); }

// https://www.radiotap.org: version 0, a length, words of bits of which the highest announces another, and the
// fields that the bits name, each aligned. The first ones are a time of 8 bytes and a byte of flags.
void radiotap(Walk &walk, const Layer &layer) {
    if (!layer.has(8) || walk.bytes.byte(layer.at) != 0) return;
    const size_t size = little16(walk, layer.at + 2);
    if (size < 8 || !layer.has(size)) return;
    constexpr unsigned has_time = 0x01, has_flags = 0x02, more = 0x80, header_padded = 0x20;
    const unsigned first = walk.bytes.byte(layer.at + 4);
    size_t at = 8;
    while (at < size && walk.bytes.byte(layer.at + at - 1) & more) at += 4;
    if (first & has_time) at = (at + 7) / 8 * 8 + 8;
    const bool padded = first & has_flags && at < size && walk.bytes.byte(layer.at + at) & header_padded;
    wireless_frame(walk, layer.after(size), padded);
}

// Per-packet information: version 0, flags, a length, and the link type of what follows.
void per_packet_information(Walk &walk, const Layer &layer) {
    if (!layer.has(8) || walk.bytes.byte(layer.at) != 0) return;
    const size_t size = little16(walk, layer.at + 2);
    if (size >= 8 && layer.has(size)) walk.enter(by_link_type(little32(walk, layer.at + 4)), layer.after(size));
}

// What Apple's systems capture of any interface: a length, a kind of record, the link type of what follows, and
// names.
void packet_tap(Walk &walk, const Layer &layer) {
    if (!layer.has(12)) return;
    const uint32_t size = little32(walk, layer.at);
    if (size >= 12 && layer.has(size))
        walk.enter(by_link_type(little32(walk, layer.at + 8)), layer.after(size));
}

// What Linux's netfilter logs: a family, version 0, a group; then attributes, each a length and a type in the
// byte order of the machine that captured, and a value padded to 4 bytes. One of them is the packet. In the
// wrong order a length of less than 256 is 1024 or more, and its type is none, so that the attributes end
// early.
void netfilter_log(Walk &walk, const Layer &layer) {
    if (!layer.has(4) || walk.bytes.byte(layer.at + 1) != 0) return;
    constexpr unsigned payload = 9;
    for (const bool little : {true, false}) {
        const auto number = [&](size_t at) {
            return little ? little16(walk, at) : static_cast<unsigned>(walk.bytes.number16(at));
        };
        Layer rest = layer.after(4);
        while (rest.has(4)) {
            const size_t size = number(rest.at);
            if (size < 4) break;
            if (number(rest.at + 2) == payload) return walk.enter(ip, rest.first(size).after(4));
            if (!rest.has((size + 3) / 4 * 4)) break;
            rest = rest.after((size + 3) / 4 * 4);
        }
    }
}

}  // namespace onesum::packet
