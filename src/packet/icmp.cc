// Readers of ICMP and ICMPv6, the packets that errors quote, and extension structures. SPDX-License-Identifier:
// MIT
#include "packet/readers.h"

namespace onesum::packet {

namespace {

// The extension structure (RFC 4884 section 7): version 2, its checksum at byte 2 over all of it.
void extension(Walk &walk, const Layer &layer) {
    if (!layer.has(4) || walk.bytes.byte(layer.at) >> 4 != 2) return;
    walk.claim(ONESUM_PROTOCOL_ICMP_EXT, layer, 2, layer.size(), rule::zero_absent | rule::ones_for_zero);
}

// What an error has behind its 8 bytes: the packet that caused it, and perhaps an extension structure. `stated`
// is the quoted part's length in bytes where the message says one.
void quoted(Walk &walk, const Layer &layer, Reader reader, size_t stated) {
    constexpr size_t padded = 128;  // the least size of a quoted part before an extension structure
    size_t size = layer.size();
    bool extended = false;
    if (stated != 0 && stated < size) {
        size = stated;
        extended = true;
    } else if (stated == 0 && size > padded && layer.has(padded + 4)) {
        // Senders from before RFC 4884 state no length, but pad to 128 bytes (its section 5.5).
        const size_t length_at = reader == ipv4 ? 2 : 4, header = reader == ipv4 ? 0 : 40;
        extended = header + walk.bytes.number16(layer.at + length_at) <= padded &&
                   walk.bytes.byte(layer.at + padded) == 0x20;
        if (extended) size = padded;
    }
    walk.enter_quoted(reader, layer.first(size));
    if (extended && layer.has(size)) walk.enter(extension, layer.after(size));
}

}  // namespace

void icmp(Walk &walk, const Layer &layer) {
    if (!layer.has(4)) return;
    walk.claim(ONESUM_PROTOCOL_ICMP, layer, 2, layer.size());
    if (!layer.has(8)) return;
    uint8_t scratch[8];
    const uint8_t *header = walk.bytes.read(layer.at, 8, scratch);
    switch (header[0]) {
        case 3:   // destination unreachable
        case 11:  // time exceeded
        case 12:  // parameter problem
            return quoted(walk, layer.after(8), ipv4, header[5] * size_t{4});
        case 4:  // source quench
        case 5:  // redirect
            return walk.enter_quoted(ipv4, layer.after(8));
        case 42:  // extended echo (RFC 8335)
            return walk.enter(extension, layer.after(8));
    }
}

void icmpv6(Walk &walk, const Layer &layer) {
    if (!layer.has(4) || layer.network->version != 6) return;
    walk.claim_pseudo(ONESUM_PROTOCOL_ICMPV6, layer, 2, layer.size(), 0, 58, layer.size());
    if (!layer.has(8)) return;
    uint8_t scratch[8];
    const uint8_t *header = walk.bytes.read(layer.at, 8, scratch);
    switch (header[0]) {
        case 1:  // destination unreachable
        case 3:  // time exceeded
            return quoted(walk, layer.after(8), ipv6, header[4] * size_t{8});
        case 2:  // packet too big
        case 4:  // parameter problem
            return walk.enter_quoted(ipv6, layer.after(8));
        case 137: {  // redirect: options of 8-byte units after 40 bytes, number 4 quotes (RFC 4861
                     // section 4.6.3)
            if (!layer.has(40)) return;
            for (Layer option = layer.after(40); option.has(8);) {
                uint8_t start[2];
                const uint8_t *head = walk.bytes.read(option.at, 2, start);
                const size_t size = head[1] * size_t{8};
                if (size == 0) return;
                if (head[0] == 4) return walk.enter_quoted(ipv6, option.first(size).after(8));
                if (!option.has(size)) return;
                option = option.after(size);
            }
            return;
        }
        case 160:  // extended echo (RFC 8335)
            return walk.enter(extension, layer.after(8));
    }
}

}  // namespace onesum::packet
