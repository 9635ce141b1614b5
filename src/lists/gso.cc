// A payload cut into TCP or UDP packets. SPDX-License-Identifier: MIT
#include "onesum/gso.h"

#include <cstring>

#include "dispatch/calls.h"
#include "packet/source_route.h"

namespace {

using Byte = unsigned char;

uint32_t read16(const Byte *at) { return static_cast<uint32_t>(at[0] << 8 | at[1]); }
uint32_t read32(const Byte *at) { return read16(at) << 16 | read16(at + 2); }
// A number's 16 bits as they lie in a packet, in network order.
uint16_t network16(size_t value) {
    const Byte bytes[] = {static_cast<Byte>(value >> 8), static_cast<Byte>(value)};
    uint16_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}
// A few bytes at an even place of what a checksum covers.
uint32_t sum16(const Byte *at) {
    uint16_t word;
    std::memcpy(&word, at, sizeof word);
    return word;
}
template <typename Word>
void store(Byte *at, Word word) {
    std::memcpy(at, &word, sizeof word);
}

enum : Byte { tcp = 6, udp = 17 };
// Byte 13 of a TCP header.
enum : Byte { fin = 0x01, syn = 0x02, rst = 0x04, psh = 0x08, urg = 0x20, cwr = 0x80 };

// Where the headers of a template are, seen from its first byte.
struct Layout {
    size_t network, transport, end;
    Byte protocol;
    bool ipv6;
};

// Options of IPv6 that forbid to cut: with a Home Address (RFC 6275 section 6.3) the pseudo-header has another
// source, and a jumbo payload (RFC 2675) has its length in the option.
enum : Byte { home_address = 0xc9, jumbo_payload = 0xc2 };

// Whether a Hop-by-Hop or Destination Options header has one of these, or cannot be read.
bool forbids(const Byte *header, size_t size) {
    size_t at = 2;
    while (at < size) {
        if (header[at] == home_address || header[at] == jumbo_payload) return true;
        if (header[at] == 0) {  // a single byte of padding
            ++at;
            continue;
        }
        if (size - at < 2) return true;
        at += size_t{2} + header[at + 1];
    }
    return at != size;
}

// Past the extension headers of RFC 8200 section 4 that a packet in one piece may have: `layout` has the first
// header's number and place. False where they cannot be cut.
bool skip_extensions(const Byte *headers, Layout &layout) {
    enum : Byte { hop_by_hop = 0, routing = 43, destination = 60 };
    while (layout.protocol == hop_by_hop || layout.protocol == routing || layout.protocol == destination) {
        const Byte *extension = headers + layout.transport;
        const size_t left = layout.end - layout.transport;
        if (left < 8) return false;
        const size_t size = (size_t{extension[1]} + 1) * 8;
        if (left < size) return false;
        if (layout.protocol == routing ? extension[3] != 0 : forbids(extension, size)) return false;
        layout.protocol = extension[0];
        layout.transport += size;
    }
    return true;
}

// False for a template that is not one whole chain of headers.
bool find_headers(const onesum_gso_packet &packet, Layout &layout) {
    const Byte *headers = static_cast<const Byte *>(packet.headers);
    if (packet.network > packet.header_size) return false;
    layout.network = packet.network;
    layout.end = packet.header_size;
    const Byte *ip = headers + layout.network;
    const size_t left = layout.end - layout.network;
    if (left < 20) return false;
    layout.ipv6 = ip[0] >> 4 == 6;
    if (layout.ipv6) {
        if (left < 40) return false;
        layout.transport = layout.network + 40;
        layout.protocol = ip[6];
        if (!skip_extensions(headers, layout)) return false;
    } else {
        const size_t size = size_t{4} * (ip[0] & 0x0f);
        if (ip[0] >> 4 != 4 || size < 20 || left < size) return false;
        if (read16(ip + 6) & 0x3fff) return false;  // more fragments, or an offset
        if (onesum::packet::final_destination(ip + 20, size - 20)) return false;
        layout.transport = layout.network + size;
        layout.protocol = ip[9];
    }
    const Byte *transport = headers + layout.transport;
    const size_t size = layout.end - layout.transport;
    if (layout.protocol == udp) return size == 8;
    return layout.protocol == tcp && size >= 20 && size == size_t{4} * (transport[12] >> 4);
}

// What the packets have in common: the sums of the headers, with the pseudo-header, without the fields that are
// written in each. Those are summed from where they come from: to load what has just been stored in parts waits
// until it has left the processor's store buffer, behind all of the payload.
class Template {
  public:
    Template(const Byte *headers, const Layout &layout) : headers_(headers), layout_(layout) {
        const Byte *ip = headers + layout.network;
        const Byte *transport = headers + layout.transport;
        uint32_t sum;
        if (layout.ipv6) {
            sum = onesum_pseudo_ipv6(ip + 8, ip + 24, 0, layout.protocol, 0);
        } else {
            sum = onesum_pseudo_ipv4(ip + 12, ip + 16, 0, layout.protocol, 0);
            // All but the length, the identification and the checksum.
            ip_sum_ = onesum_partial(ip + 12, layout.transport - layout.network - 12,
                                     sum16(ip) + sum16(ip + 6) + sum16(ip + 8));
            identification_ = read16(ip + 4);
        }
        sum = onesum_add(sum, onesum_load32(transport));  // the ports
        if (layout.protocol == tcp) {
            // All but the sequence number, the word with the flags and the checksum.
            sum = onesum_partial(transport + 18, layout.end - layout.transport - 18, sum);
            sum = onesum_add(sum, onesum_load32(transport + 8));
            sum = onesum_add(sum, sum16(transport + 14));
            sequence_ = read32(transport + 4);
            flags_ = read16(transport + 12);
        }
        transport_sum_ = sum;
    }

    // Packet `i` at `to`, whose payload of `size` bytes begins `offset` bytes after the first one's.
    void write(Byte *to, size_t i, size_t offset, size_t size, bool last, uint32_t payload_sum) const {
        std::memcpy(to, headers_, layout_.end);
        write_ip(to + layout_.network, i, layout_.end - layout_.network + size);
        Byte *transport = to + layout_.transport;
        const uint16_t length = network16(layout_.end - layout_.transport + size);
        // Three numbers of 32 bits and at most two of 16: no carry out of 64.
        uint64_t sum = uint64_t{transport_sum_} + payload_sum + length;
        if (layout_.protocol == tcp) {
            uint32_t cleared = last ? 0 : fin | psh;
            if (i != 0) cleared |= cwr;
            const uint16_t flags = network16(flags_ & ~cleared);
            const uint32_t sequence = onesum_network32(sequence_ + static_cast<uint32_t>(offset));
            sum += uint64_t{sequence} + flags;
            store(transport + 4, sequence);
            store(transport + 12, flags);
            store(transport + 16, onesum_fold(onesum_fold64(sum)));
        } else {
            store(transport + 4, length);
            store(transport + 6, onesum_fold_udp(onesum_fold64(sum + length)));
        }
    }

  private:
    void write_ip(Byte *ip, size_t i, size_t size) const {
        if (layout_.ipv6) {
            store(ip + 4, network16(size - 40));
        } else {
            const uint16_t length = network16(size), identification = network16(identification_ + i);
            store(ip + 2, length);
            store(ip + 4, identification);
            store(ip + 10, onesum_fold(onesum_fold64(uint64_t{ip_sum_} + length + identification)));
        }
    }

    const Byte *headers_;
    const Layout layout_;
    uint32_t ip_sum_ = 0, transport_sum_ = 0, identification_ = 0, sequence_ = 0, flags_ = 0;
};

}  // namespace

extern "C" size_t onesum_gso(const onesum_gso_packet *packet, void *dst, size_t stride) {
    Layout layout;
    if (packet->segment_size == 0 || !find_headers(*packet, layout)) return 0;
    const size_t longest = onesum_smaller(packet->size, packet->segment_size);
    const size_t before = layout.ipv6 ? layout.network + 40 : layout.network;  // not in the IP length
    if (longest > 0xffff || layout.end - before + longest > 0xffff) return 0;
    const Byte *headers = static_cast<const Byte *>(packet->headers);
    if (layout.protocol == tcp && packet->size > packet->segment_size &&
        headers[layout.transport + 13] & (syn | rst | urg))
        return 0;

    const Template common(headers, layout);
    const auto copy = onesum_segment_copy_in_use(packet->size);
    const char *payload = static_cast<const char *>(packet->payload);
    size_t count = 0, done = 0;
    do {
        const size_t size = onesum_smaller(packet->size - done, packet->segment_size);
        Byte *to = static_cast<Byte *>(dst) + count * stride;
        const uint32_t sum = copy(to + layout.end, payload + done, size, 0);
        common.write(to, count, done, size, done + size == packet->size, sum);
        done += size;
        ++count;
    } while (done != packet->size);
    return count;
}
