// Readers of IPv4, IPv6 and the headers between them and the layers above. SPDX-License-Identifier: MIT
#include "packet/readers.h"
#include "packet/source_route.h"

namespace onesum::packet {

void ipv4(Walk &walk, const Layer &layer) {
    if (!layer.has(12)) return;  // its checksum is not there
    uint8_t scratch[60];
    const size_t there = std::min(layer.limit - layer.at, sizeof scratch);
    const uint8_t *header = walk.bytes.read(layer.at, there, scratch);
    if (header[0] >> 4 != 4) return;
    const size_t size = (header[0] & 15) * size_t{4};
    const size_t total = be16(header + 2);
    const bool malformed = size < 20 || (total < size && total != 0);
    walk.note(ONESUM_PROTOCOL_IPV4, layer, 10, size, rule::ipv4_header | (malformed ? rule::malformed : 0u));
    if (malformed || there < size) return;

    const unsigned fragment = be16(header + 6);
    if (fragment & 0x1fff) return;  // not the first: what follows is no header
    Network network;
    network.version = 4;
    if (fragment & 0x2000) network.reason = ONESUM_REASON_FRAGMENT;
    std::memcpy(network.source, header + 12, 4);
    std::memcpy(network.destination, header + 16, 4);
    if (const uint8_t *const last = final_destination(header + 20, size - 20))
        std::memcpy(network.destination, last, 4);

    Layer above = layer;
    if (total == 0) {
        // The card that cuts it in segments writes their lengths. It goes as far as the buffer does.
        above.end = above.limit;
        network.rules |= rule::tso;
    } else {
        above = above.first(total);
    }
    above = above.after(size);
    above.network = &network;
    walk.enter(by_ip_protocol(header[9]), above);
}

namespace {

// What the extension headers of an IPv6 packet change.
struct Extensions {
    Network network;
    uint32_t jumbo = 0;  // the jumbo payload's length (RFC 2675), 0 without
};

// Options of which a receiver knows how to take them (the IANA registry), by all 8 bits of their type. Of
// others the two highest bits say whether they may be skipped (RFC 8200 section 4.2).
bool is_known_option(unsigned type) {
    switch (type) {
        case 0x00:  // Pad1
        case 0x01:  // PadN
        case 0xc2:  // jumbo payload
        case 0xc9:  // Home Address
        case 0x63:  // RPL (RFC 6553)
        case 0x6d:  // MPL
        case 0x8b:  // ILNP nonce
        case 0x8c:  // line identification
        case 0xee:  // DFF
            return true;
        default:
            return type >> 6 == 0;
    }
}

void read_options(const Walk &walk, size_t at, size_t end, Extensions &extensions) {
    while (at < end) {
        const unsigned type = walk.bytes.byte(at);
        if (type == 0) {
            ++at;
            continue;
        }
        if (end - at < 2) break;
        const size_t length = walk.bytes.byte(at + 1);
        if (length > end - at - 2) break;
        uint8_t scratch[16];
        if (type == 0xc9) {  // the mobile node's own address stands for that of its care (RFC 6275, 11.3.1)
            if (length != 16)
                extensions.network.rules |= rule::malformed;
            else
                std::memcpy(extensions.network.source, walk.bytes.read(at + 2, 16, scratch), 16);
        } else if (type == 0xc2 && length == 4) {
            extensions.jumbo = be32(walk.bytes.read(at + 2, 4, scratch));
        } else if (!is_known_option(type)) {
            extensions.network.reason = ONESUM_REASON_OPTION;
        }
        at += 2 + length;
    }
    if (at != end) extensions.network.rules |= rule::malformed;
}

// Puts the final destination in place while the packet is on its way there (RFC 8200 section 8.1).
void read_routing(const Walk &walk, size_t at, size_t size, Network &network) {
    uint8_t scratch[16];
    const uint8_t *header = walk.bytes.read(at, 8, scratch);
    const unsigned type = header[2], left = header[3];
    if (left == 0) return;
    size_t last;  // the final destination's place
    size_t elided = 0;
    switch (type) {
        case 0:  // RFC 2460 section 4.4: the last address
        case 2:  // RFC 6275 section 6.4: the only one
            last = size - 16;
            break;
        case 3: {  // RFC 6554: the last one, without a prefix that it shares with the next hop
            elided = header[4] & 15;
            const size_t pad = header[5] >> 4;
            if (size < 8 + 16 + pad - elided) {
                network.rules |= rule::malformed;
                return;
            }
            last = size - pad - (16 - elided);
            break;
        }
        case 4:  // RFC 8754 section 2: the list is reversed
            last = 8;
            break;
        default:
            network.reason = ONESUM_REASON_OPTION;
            return;
    }
    if (last < 8 || last > size || size - last < 16 - elided) {
        network.rules |= rule::malformed;
        return;
    }
    std::memcpy(network.destination + elided, walk.bytes.read(at + last, 16 - elided, scratch), 16 - elided);
}

}  // namespace

void ipv6(Walk &walk, const Layer &layer) {
    if (!layer.has(40)) return;
    uint8_t scratch[40];
    const uint8_t *header = walk.bytes.read(layer.at, 40, scratch);
    if (header[0] >> 4 != 6) return;
    const size_t payload = be16(header + 4);
    unsigned next = header[6];
    Extensions extensions;
    Network &network = extensions.network;
    network.version = 6;
    std::memcpy(network.source, header + 8, 16);
    std::memcpy(network.destination, header + 24, 16);

    const Layer all = layer.after(40);
    Layer rest = payload == 0 ? all : all.first(payload);
    rest.network = &network;
    if (payload == 0) {
        rest.end = rest.limit;
        network.rules |= rule::tso;
    }
    bool fragment = false;
    // Each turn takes at least 8 bytes.
    for (;;) {
        const bool options = next == 0 || next == 60;
        if (!options && next != 43 && next != 44 && next != 51) break;
        if (!rest.has(8)) return;
        uint8_t extension[8];
        std::memcpy(extension, walk.bytes.read(rest.at, 8, extension), 8);
        size_t size = 8;
        if (next == 51) {
            size = (extension[1] + size_t{2}) * 4;  // RFC 4302
        } else if (next != 44) {
            size = (extension[1] + size_t{1}) * 8;
        }
        if (!rest.has(size)) return;
        if (options) {
            read_options(walk, rest.at + 2, rest.at + size, extensions);
            if (payload == 0 && extensions.jumbo != 0) {
                const Layer jumbo = all.first(extensions.jumbo);
                if (jumbo.limit - all.at < rest.at + size - all.at) return;
                rest.limit = jumbo.limit;
                rest.end = jumbo.end;
                network.rules &= ~rule::tso;
            }
        } else if (next == 43) {
            read_routing(walk, rest.at, size, network);
        } else if (next == 44) {
            const unsigned place = be16(extension + 2);
            if (place >> 3 != 0) return;  // not the first fragment: what follows is no header
            fragment |= place & 1;
        }
        next = extension[0];
        rest = rest.after(size);
    }
    if (fragment) network.reason = ONESUM_REASON_FRAGMENT;
    walk.enter(by_ip_protocol(next), rest);
}

void ip(Walk &walk, const Layer &layer) {
    if (!layer.has(1)) return;
    // The version is judged where it is read.
    (walk.bytes.byte(layer.at) >> 4 == 6 ? ipv6 : ipv4)(walk, layer);
}

// Authentication says nothing about what it carries; over IPv6 it is read with the extension headers.
void authentication(Walk &walk, const Layer &layer) {
    if (!layer.has(2)) return;
    const size_t size = (walk.bytes.byte(layer.at + 1) + size_t{2}) * 4;
    if (layer.has(size)) walk.enter(by_ip_protocol(walk.bytes.byte(layer.at)), layer.after(size));
}

// Behind the index and the sequence number all is encrypted, as far as can be told.
void esp(Walk &walk, const Layer &layer) {
    if (layer.has(10)) walk.claim(ONESUM_PROTOCOL_ESP, layer, 8, 0).reason = ONESUM_REASON_ENCRYPTED;
}

}  // namespace onesum::packet
