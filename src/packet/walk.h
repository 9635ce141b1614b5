// What the readers of protocols work with: the packet's bytes, a layer of them, and what is found in it.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "onesum/packet.h"

namespace onesum::packet {

using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint8_t;

// Numbers in network order, as numbers.
inline uint16_t be16(const uint8_t *at) { return static_cast<uint16_t>(at[0] << 8 | at[1]); }
inline uint32_t be32(const uint8_t *at) { return uint32_t{be16(at)} << 16 | be16(at + 2); }

// The bytes of a packet: one buffer, or the pieces of a list. Whoever reads has made sure that they are there.
class Bytes {
  public:
    Bytes(const void *data, size_t size) : data_(static_cast<const uint8_t *>(data)), size_(size) {}
    Bytes(const onesum_buffer *list, size_t count);

    size_t size() const { return size_; }

    // `size` bytes from `at`, in place where they lie together, else gathered in `scratch`.
    const uint8_t *read(size_t at, size_t size, uint8_t *scratch) const {
        return data_ ? data_ + at : gather(at, size, scratch);
    }
    uint8_t byte(size_t at) const {
        uint8_t scratch;
        return *read(at, 1, &scratch);
    }
    uint16_t number16(size_t at) const {
        uint8_t scratch[2];
        return be16(read(at, 2, scratch));
    }
    // A checksum as it lies in the packet.
    uint16_t checksum(size_t at) const {
        uint8_t scratch[2];
        uint16_t value;
        std::memcpy(&value, read(at, 2, scratch), 2);
        return value;
    }
    uint32_t partial(size_t at, size_t size, uint32_t sum) const {
        if (!data_) return onesum_partial_iov(list_, count_, at, size, sum);
        const uint8_t *data = data_ + at;
        // A header without options is not worth a call.
        if (size == 20)
            return onesum_add(sum, onesum_fold64(onesum_add64(onesum_load64(data), onesum_load64(data + 8),
                                                              onesum_load32(data + 16))));
        return onesum_partial(data, size, sum);
    }

  private:
    // Apart, because it is seldom called, from many places.
    [[gnu::noinline]] const uint8_t *gather(size_t at, size_t size, uint8_t *scratch) const;

    const uint8_t *data_;  // nullptr if the packet is in pieces
    size_t size_;
    const onesum_buffer *list_ = nullptr;
    size_t count_ = 0;
};

struct Network;

// A header and all that it carries: at <= limit <= end.
struct Layer {
    size_t at;               // its first byte
    size_t limit;            // how far its bytes are there
    size_t end;              // where it ends, as the headers before it say
    const Network *network;  // the innermost IP header before it, or nullptr

    bool has(size_t size) const { return limit - at >= size; }
    // It without its first `size` bytes, which are there.
    Layer after(size_t size) const { return {at + size, limit, end, network}; }
    // Its first `size` bytes, whether it has them or not.
    Layer first(size_t size) const {
        const size_t stop = size > SIZE_MAX - at ? SIZE_MAX : at + size;
        return {at, std::min(limit, stop), stop, network};
    }
    size_t size() const { return end - at; }
};

// How a checksum is to be judged, beyond its sum: bits of a claim's rules. The first three are flags of the
// result as well.
namespace rule {
inline constexpr unsigned
    quoted = ONESUM_RESULT_QUOTED,
    pseudo = ONESUM_RESULT_PSEUDO,  // a pseudo-header belongs to it
    tso = ONESUM_RESULT_TSO, flags = quoted | pseudo | tso,
    maybe_pseudo = 0x10,    // a pseudo-header may belong to it: right either way (VRRP version 3 over IPv4)
    offload = 0x20,         // senders leave it to network cards, with the pseudo-header's sum in the field
    zero_absent = 0x40,     // a stored 0 means that none was sent,
    zero_illegal = 0x80,    // or is wrong by itself
    ones_for_zero = 0x100,  // so that a computed 0 is stored as 0xffff
    unused = 0x200,         // it is not computed at all: another check is in use
    ipv4_header = 0x400,    // a 0 may be an offload's
    malformed = 0x800;      // a header contradicts itself
}

// What an IP header says to the layers above it.
struct Network {
    uint8_t version;                      // 4 or 6
    uint8_t reason = ONESUM_REASON_NONE;  // why no checksum there can be verified
    unsigned rules = 0;                   // that hold for all of them: tso, malformed
    uint8_t source[16];       // 4 or 16 bytes: the addresses that the pseudo-header takes, which are
    uint8_t destination[16];  // those of the packet's first and last stations

    bool tso() const { return rules & rule::tso; }
    bool fragment() const { return reason == ONESUM_REASON_FRAGMENT; }

    // The partial sum of the pseudo-header with a length of 0.
    uint32_t pseudo(uint8_t protocol) const {
        return version == 4 ? onesum_pseudo_ipv4(source, destination, 0, protocol, 0)
                            : onesum_pseudo_ipv6(source, destination, 0, protocol, 0);
    }
};

// A checksum that was found: what of it is judged beside the result, in which its place and what it covers are
// noted already.
struct Claim {
    onesum_packet_result *result;
    size_t first;     // the size of covered[0]
    size_t whole;     // if not 0: over that many bytes from covered[0] on, it is right as well
    uint32_t pseudo;  // the partial sum of the pseudo-header with a length of 0,
    uint32_t length;  // and its length
    unsigned rules;
    uint8_t reason;  // why it cannot be verified; NONE if it can. The bytes covered are those that are there
};

// What has been summed before the walk, so that it need not be again.
struct Summed {
    onesum_packet_range range;
    uint32_t sum;  // of these bytes
    size_t bytes;  // how many have been summed, in this range and elsewhere
};

class Walk;
using Reader = void (*)(Walk &, const Layer &);

// The way through one packet. It reads headers and notes claims; judging them is another matter.
class Walk {
  public:
    // Claims are noted in `results`, of ONESUM_PACKET_LAYERS entries. They, the packet and the options (nullptr
    // for the defaults) outlive the walk.
    Walk(const Bytes &packet, const onesum_packet_options *chosen, onesum_packet_result *results,
         const Summed &known = {})
        : bytes(packet),
          options(chosen ? *chosen : defaults),
          before(known),
          summed(known.bytes),
          results_(results) {}

    const Bytes &bytes;
    const onesum_packet_options &options;
    const Summed before;
    // Both are bounded, and tests hold them to it: at most ONESUM_PACKET_LAYERS readers run, and since each of
    // them notes at most one claim, which lies within its own layer, at most as many times the packet's bytes
    // are summed for a verdict.
    unsigned layers = 0;
    size_t summed;

    // Finds every claim in a packet that begins with a link type.
    void run(uint32_t start);

    // Goes on with a reader (none: nothing is known of this layer).
    void enter(Reader reader, const Layer &layer) {
        if (!reader || layers == ONESUM_PACKET_LAYERS) return;
        ++layers;
        reader(*this, layer);
    }

    // Goes into what an ICMP error quotes.
    void enter_quoted(Reader reader, const Layer &layer) {
        const unsigned outside = inherited_;
        inherited_ = rule::quoted;
        enter(reader, layer);
        inherited_ = outside;
    }

    // Notes a checksum `field` bytes into a layer that covers the layer's first `size` bytes. The claim may be
    // refined until the reader returns.
    Claim &claim(onesum_protocol protocol, const Layer &layer, size_t field, size_t size, unsigned rules = 0) {
        Claim &noted = note(protocol, layer, field, size, rules);
        if (layer.network) {
            noted.rules |= layer.network->rules;
            if (layer.network->reason) noted.reason = layer.network->reason;
        }
        return noted;
    }
    // The same for one that no IP header before it has a say in.
    Claim &note(onesum_protocol protocol, const Layer &layer, size_t field, size_t size, unsigned rules) {
        const size_t there = std::min(size, layer.limit - layer.at);
        onesum_packet_result &result = results_[count_];
        result.offset = layer.at + field;
        result.covered[0] = {layer.at, there};
        result.covered[1] = {layer.at, 0};
        result.protocol = static_cast<uint8_t>(protocol);
        Claim &claim = claims_[count_++];
        claim.result = &result;
        claim.first = there;
        claim.whole = 0;
        claim.pseudo = claim.length = 0;
        claim.rules = rules | inherited_;
        claim.reason = there < size ? ONESUM_REASON_TRUNCATED : ONESUM_REASON_NONE;
        return claim;
    }
    // The same for one whose pseudo-header has the protocol number `number` and the length `length`.
    Claim &claim_pseudo(onesum_protocol protocol, const Layer &layer, size_t field, size_t size, unsigned rules,
                        uint8_t number, size_t length) {
        Claim &noted = claim(protocol, layer, field, size, rules | rule::pseudo);
        noted.pseudo = layer.network->pseudo(number);
        noted.length = static_cast<uint32_t>(length);
        return noted;
    }

    unsigned count() const { return count_; }
    const Claim &operator[](size_t i) const { return claims_[i]; }

  private:
    static constexpr onesum_packet_options defaults{};

    onesum_packet_result *const results_;
    unsigned count_ = 0;
    unsigned inherited_ = 0;
    Claim claims_[ONESUM_PACKET_LAYERS];
};

// The readers by the numbers that name them, from the one table in protocols.cc; nullptr where none is known.
Reader by_link_type(uint32_t type);
Reader by_ethertype(unsigned type);
Reader by_ip_protocol(unsigned number);
Reader by_ppp_protocol(unsigned number);
Reader by_udp_ports(unsigned from, unsigned to);

// A verdict on one claim, in its result, once there is one on each further in. More than once if the packet has
// changed.
void judge(Walk &walk, const Claim &claim);

// Tells the most frequent kinds of packet without a walk: stores its results, and returns how many.
// 0 for any other packet or if there is no room for so many results, and then `summed`, all zero before, is
// what the walk may know.
unsigned check_frequent(const uint8_t *packet, size_t size, uint32_t start, onesum_packet_result *results,
                        size_t room, Summed &summed);

}  // namespace onesum::packet
