// Readers of protocols between routers and hosts. SPDX-License-Identifier: MIT
#include "packet/readers.h"

namespace onesum::packet {

namespace {

// A PIM Register's checksum covers its first 8 bytes only, but one over all of it has to be accepted (RFC 7761
// section 4.9). Behind these bytes comes the packet that it registers.
void registered(Walk &walk, const Layer &layer, Claim &claim, Reader reader) {
    if (layer.size() < 8) claim.rules |= rule::malformed;
    if (!layer.has(8)) return;
    if (layer.end == layer.limit) claim.whole = layer.size();
    walk.enter(reader, layer.after(8));
}

// In a Null-Register, a dummy header: of IPv4, with a 0 that is not to be checked; or of IPv6, perhaps with a
// dummy message (RFC 7761 section 4.9.3).
void null_registered(Walk &walk, const Layer &layer) {
    if (!layer.has(1)) return;
    const unsigned version = walk.bytes.byte(layer.at) >> 4;
    if (version == 6) return ipv6(walk, layer);
    if (version == 4 && layer.has(12))
        walk.note(ONESUM_PROTOCOL_IPV4, layer, 10, 20, rule::zero_absent | rule::ones_for_zero);
}

}  // namespace

// PIM's version 1 is in these messages; its Register is as that of version 2.
void igmp(Walk &walk, const Layer &layer) {
    if (!layer.has(4)) return;
    constexpr unsigned pim1_register = 0x1401;
    const bool is_register = walk.bytes.number16(layer.at) == pim1_register;
    Claim &claim = walk.claim(ONESUM_PROTOCOL_IGMP, layer, 2, is_register ? 8 : layer.size());
    if (is_register) registered(walk, layer, claim, ip);
}

// RFC 7868 section 6.2: all of it.
void eigrp(Walk &walk, const Layer &layer) {
    if (layer.has(4)) walk.claim(ONESUM_PROTOCOL_EIGRP, layer, 2, layer.size());
}

namespace {

// Link-local signaling, behind a Hello or a Database Description (RFC 5613 section 2): a checksum, and the size
// in words. Cryptographic authentication takes the place of this checksum as well.
template <bool authenticated>
void signaling(Walk &walk, const Layer &layer) {
    if (!layer.has(4)) return;
    const size_t size = walk.bytes.number16(layer.at + 2) * size_t{4};
    Claim &claim = walk.claim(ONESUM_PROTOCOL_OSPF_LLS, layer, 0, size);
    if (authenticated) claim.rules |= rule::unused;
    if (size < 4) claim.rules |= rule::malformed;
}

// `before` bytes into the layer, if the byte of options says so that is at `hello` in Hellos and at
// `description` in Database Descriptions.
void find_signaling(Walk &walk, const Layer &layer, size_t hello, size_t description, unsigned bit,
                    size_t before, bool authenticated) {
    const unsigned type = walk.bytes.byte(layer.at + 1);
    const size_t options = type == 1 ? hello : description;
    if ((type != 1 && type != 2) || !layer.has(options + 1) || !(walk.bytes.byte(layer.at + options) & bit) ||
        !layer.has(before))
        return;
    walk.enter(authenticated ? signaling<true> : signaling<false>, layer.after(before));
}

// RFC 2328 section D.4: all but the 8 bytes of authentication; with cryptographic authentication, nothing.
void ospf2(Walk &walk, const Layer &layer, size_t length) {
    if (!layer.has(16)) return;
    const bool cryptographic = walk.bytes.number16(layer.at + 14) == 2;
    Claim &claim = walk.claim(ONESUM_PROTOCOL_OSPF, layer, 12, length, cryptographic ? rule::unused : 0u);
    if (length < 24) {
        claim.rules |= rule::malformed;
        return;
    }
    if (claim.first > 24) claim.result->covered[1] = {layer.at + 24, claim.first - 24};
    claim.first = std::min<size_t>(claim.first, 16);
    if (!layer.has(24)) return;
    const size_t digest = cryptographic ? walk.bytes.byte(layer.at + 19) : 0u;
    find_signaling(walk, layer, 30, 26, 0x10, length + digest, cryptographic);
}

// An authentication trailer stands in for the checksum, which is then neither computed nor verified (RFC 7166
// section 2.2). The AT bit in the options of Hello and Database Description tells; the others only have it.
bool has_trailer(const Walk &walk, const Layer &layer, size_t length) {
    const unsigned type = walk.bytes.byte(layer.at + 1);
    if (type == 1 || type == 2) {
        const size_t options = type == 1 ? 21 : 17;
        return layer.has(options + 3) && walk.bytes.byte(layer.at + options + 1) & 0x04;
    }
    return layer.has(length + 16) && walk.bytes.number16(layer.at + length) == 1;
}

// RFC 5340 section A.3.1.
void ospf3(Walk &walk, const Layer &layer, size_t length) {
    const bool authenticated = has_trailer(walk, layer, length);
    Claim &claim = walk.claim_pseudo(ONESUM_PROTOCOL_OSPFV3, layer, 12, length,
                                     authenticated ? rule::unused : 0u, 89, length);
    if (length < 16) {
        claim.rules |= rule::malformed;
        return;
    }
    find_signaling(walk, layer, 22, 18, 0x02, length, authenticated);
}

}  // namespace

void ospf(Walk &walk, const Layer &layer) {
    if (!layer.has(14)) return;
    const unsigned version = walk.bytes.byte(layer.at);
    const size_t length = walk.bytes.number16(layer.at + 2);
    if (version == 2) ospf2(walk, layer, length);
    if (version == 3) ospf3(walk, layer, length);
}

// RFC 7761 section 4.9. Version 0 is that of a Null-Register's dummy message.
void pim(Walk &walk, const Layer &layer) {
    if (!layer.has(4)) return;
    uint8_t scratch[8];
    const uint8_t *header = walk.bytes.read(layer.at, layer.has(8) ? 8 : 4, scratch);
    if (header[0] >> 4 != 2 && header[0] != 0) return;
    const bool is_register = header[0] == 0x21;
    const size_t covered = is_register ? 8 : layer.size();
    Claim &claim = layer.network->version == 6
                       ? walk.claim_pseudo(ONESUM_PROTOCOL_PIM, layer, 2, covered, 0, 103, covered)
                       : walk.claim(ONESUM_PROTOCOL_PIM, layer, 2, covered);
    if (!is_register) return;
    const bool is_null = layer.has(8) && header[4] & 0x40;
    registered(walk, layer, claim, is_null ? null_registered : ip);
}

// VRRP and CARP share a number. CARP's version 2 says 36 bytes, of which 7 words are authentication; a VRRP
// message of version 2 with 7 addresses is longer.
void vrrp_or_carp(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    uint8_t scratch[8];
    const uint8_t *header = walk.bytes.read(layer.at, 8, scratch);
    const unsigned version = header[0] >> 4;
    if (header[0] == 0x21 && header[3] == 7 && layer.size() == 36) {
        walk.claim(ONESUM_PROTOCOL_CARP, layer, 6, 36);
    } else if (version == 2) {
        walk.claim(ONESUM_PROTOCOL_VRRP, layer, 6, layer.size());
    } else if (version == 3 && layer.network->version == 6) {
        walk.claim_pseudo(ONESUM_PROTOCOL_VRRP, layer, 6, layer.size(), 0, 112, layer.size());
    } else if (version == 3) {
        // RFC 5798 was read as with a pseudo-header over IPv4 too; RFC 9568 section 5.2.8 says without.
        Claim &claim = walk.claim(ONESUM_PROTOCOL_VRRP, layer, 6, layer.size(), rule::maybe_pseudo);
        claim.pseudo = layer.network->pseudo(112);
        claim.length = static_cast<uint32_t>(layer.size());
    }
}

// RFC 2205 section 3.1.1; a bundle's messages have their own (RFC 2961 section 3.1).
void rsvp(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    uint8_t scratch[8];
    const uint8_t *header = walk.bytes.read(layer.at, 8, scratch);
    if (header[0] >> 4 != 1) return;
    const size_t length = be16(header + 6);
    Claim &claim = walk.claim(ONESUM_PROTOCOL_RSVP, layer, 2, length, rule::zero_absent | rule::ones_for_zero);
    if (length < 8) {
        claim.rules |= rule::malformed;
        return;
    }
    constexpr unsigned bundle = 12;
    if (header[1] != bundle) return;
    for (Layer inner = layer.first(length).after(8); inner.has(8);) {
        const size_t size = walk.bytes.number16(inner.at + 6);
        walk.enter(rsvp, inner.first(size));
        if (size < 8 || !inner.has(size)) return;
        inner = inner.after(size);
    }
}

// RFC 2332 section 5.2.1: its size at byte 10, the checksum behind.
void nhrp(Walk &walk, const Layer &layer) {
    if (!layer.has(14)) return;
    const size_t size = walk.bytes.number16(layer.at + 10);
    Claim &claim = walk.claim(ONESUM_PROTOCOL_NHRP, layer, 12, size);
    if (size < 20) claim.rules |= rule::malformed;
}

// RFC 3208 section 8: 0 means that none was sent, which data may not do.
void pgm(Walk &walk, const Layer &layer) {
    if (!layer.has(8)) return;
    constexpr unsigned original = 4, repair = 5;
    const unsigned type = walk.bytes.byte(layer.at + 4);
    const bool data = type == original || type == repair;
    walk.claim(ONESUM_PROTOCOL_PGM, layer, 6, layer.size(),
               rule::ones_for_zero | (data ? rule::zero_illegal : rule::zero_absent));
}

// RFC 7401 section 5.1.1.
void hip(Walk &walk, const Layer &layer) {
    if (!layer.has(6)) return;
    const size_t size = (walk.bytes.byte(layer.at + 1) + size_t{1}) * 8;
    walk.claim_pseudo(ONESUM_PROTOCOL_HIP, layer, 4, size, 0, 139, size);
}

// RFC 6275 section 6.1.1.
void mobility(Walk &walk, const Layer &layer) {
    if (!layer.has(6)) return;
    const size_t size = (walk.bytes.byte(layer.at + 1) + size_t{1}) * 8;
    walk.claim_pseudo(ONESUM_PROTOCOL_MH, layer, 4, size, 0, 135, size);
}

}  // namespace onesum::packet
