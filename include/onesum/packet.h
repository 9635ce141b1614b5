/* onesum: a verdict on every Internet checksum in a packet, and filling them. SPDX-License-Identifier: MIT
 *
 * onesum_packet_check() finds every Internet checksum in a packet, through tunnels and into the packets that
 * ICMP errors quote, and says of each whether it is right, and why if that cannot be said. It writes nothing.
 * onesum_packet_fill() puts the right values where wrong ones are. No field need be zeroed beforehand.
 *
 * The length that a checksum covers comes from the packet's headers, never from the size of the buffer, so that
 * padding and trailers don't count. Nothing outside the buffer is read, whatever the packet says.
 *
 * All functions are thread-safe, allocate nothing, and take time bounded by the packet's size: they look into
 * at most ONESUM_PACKET_LAYERS headers, and what lies deeper is not judged. No pointer needs any alignment.
 */
#ifndef ONESUM_PACKET_H
#define ONESUM_PACKET_H

#include <onesum/onesum.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Where the bytes begin ----------------------------------------------------------------------------- */

/* The layer of a packet's first byte: a link type of pcap and pcapng files
 * (https://www.tcpdump.org/linktypes.html; in pcap files the low 16 bits of the field only). The ones that are
 * known: */
enum {
    ONESUM_LINK_NULL = 0,              /* BSD loopback: a family in the byte order of the capturing machine */
    ONESUM_LINK_ETHERNET = 1,          /* from the destination address on, without preamble and FCS */
    ONESUM_LINK_PPP = 9,               /* PPP, with or without address and control bytes; Cisco HDLC also */
    ONESUM_LINK_PPP_HDLC = 50,         /* PPP in HDLC-like framing, or Cisco HDLC */
    ONESUM_LINK_PPPOE = 51,            /* from the PPPoE header on */
    ONESUM_LINK_LLC = 100,             /* from the LLC header on (RFC 2684) */
    ONESUM_LINK_RAW = 101,             /* an IPv4 or IPv6 header, as its version says */
    ONESUM_LINK_CISCO_HDLC = 104,      /* from the HDLC address byte on */
    ONESUM_LINK_FRAME_RELAY = 107,     /* from the Q.922 address on */
    ONESUM_LINK_IEEE802_11 = 105,      /* from the frame control on */
    ONESUM_LINK_LOOP = 108,            /* OpenBSD loopback: a family in network order */
    ONESUM_LINK_ENC = 109,             /* IPsec as OpenBSD logs it */
    ONESUM_LINK_LINUX_COOKED = 113,    /* "any" device, version 1 */
    ONESUM_LINK_PFLOG = 117,           /* packets that the packet filter of the BSDs logs */
    ONESUM_LINK_RADIOTAP = 127,        /* a radiotap header, then IEEE 802.11 */
    ONESUM_LINK_PPI = 192,             /* per-packet information that names the link type of the rest */
    ONESUM_LINK_PPP_DIRECTION = 204,   /* a direction byte, then PPP */
    ONESUM_LINK_HDLC_DIRECTION = 205,  /* a direction byte, then Cisco HDLC */
    ONESUM_LINK_FRAME_DIRECTION = 206, /* a direction byte, then Frame Relay */
    ONESUM_LINK_MPLS = 219,            /* from the first label on */
    ONESUM_LINK_IPV4 = 228,            /* from the IPv4 header on */
    ONESUM_LINK_IPV6 = 229,            /* from the IPv6 header on */
    ONESUM_LINK_NFLOG = 239,           /* packets that Linux's netfilter logs */
    ONESUM_LINK_PKTAP = 258,           /* any interface of Apple's systems */
    ONESUM_LINK_LINUX_COOKED2 = 276,   /* "any" device, version 2 */
    ONESUM_LINK_BROADCOM_TAG = 281,    /* Ethernet with a switch's tag: of 4 bytes before the type, */
    ONESUM_LINK_BROADCOM_TAG_FIRST = 282, /* of 4 before the frame, */
    ONESUM_LINK_DSA_TAG = 283,            /* of 4 before the type, */
    ONESUM_LINK_EDSA_TAG = 284            /* and of 8 before the type */
};

/* 1 if packets that begin with link type `start` can be read, 0 if nothing is ever found in them. */
ONESUM_API int onesum_packet_link_known(uint32_t start);

/* ---- What is found ------------------------------------------------------------------------------------- */

enum { ONESUM_PACKET_LAYERS = 16 }; /* headers looked into, and so the most results that a packet can have */

/* What a checksum belongs to. */
enum onesum_protocol {
    ONESUM_PROTOCOL_IPV4,     /* the header's own (RFC 791) */
    ONESUM_PROTOCOL_TCP,      /* RFC 9293 */
    ONESUM_PROTOCOL_UDP,      /* RFC 768; over IPv6 RFC 8200 section 8.1 */
    ONESUM_PROTOCOL_UDPLITE,  /* RFC 3828 */
    ONESUM_PROTOCOL_ICMP,     /* RFC 792 */
    ONESUM_PROTOCOL_ICMPV6,   /* RFC 4443 */
    ONESUM_PROTOCOL_ICMP_EXT, /* the extension structure in an ICMP or ICMPv6 message (RFC 4884, RFC 8335) */
    ONESUM_PROTOCOL_IGMP,     /* RFC 3376 */
    ONESUM_PROTOCOL_GRE,      /* version 0 with the checksum bit (RFC 2784) */
    ONESUM_PROTOCOL_OSPF,     /* version 2 (RFC 2328) */
    ONESUM_PROTOCOL_OSPFV3,   /* RFC 5340 */
    ONESUM_PROTOCOL_PIM,      /* version 2 (RFC 7761 section 4.9) */
    ONESUM_PROTOCOL_VRRP,     /* versions 2 and 3 (RFC 3768, RFC 9568) */
    ONESUM_PROTOCOL_CARP,     /* of the BSDs, which shares VRRP's protocol number */
    ONESUM_PROTOCOL_DCCP,     /* RFC 4340 section 9 */
    ONESUM_PROTOCOL_MH,       /* the IPv6 Mobility Header (RFC 6275 section 6.1) */
    ONESUM_PROTOCOL_RSVP,     /* RFC 2205 section 3.1 */
    ONESUM_PROTOCOL_ESP,      /* no checksum: stands for those that are encrypted (RFC 4303); offset is that of
                                 the payload. Always unverifiable */
    ONESUM_PROTOCOL_SCTP,  /* a CRC32c, which is no Internet checksum (RFC 9260 section 6.8): named, not judged.
                              `stored` is the first half of its 4 bytes. Always unverifiable */
    ONESUM_PROTOCOL_EIGRP, /* RFC 7868 section 6.2 */
    ONESUM_PROTOCOL_OSPF_LLS, /* the link-local signaling block behind an OSPF packet (RFC 5613 section 2) */
    ONESUM_PROTOCOL_NHRP,     /* RFC 2332 section 5.2.1 */
    ONESUM_PROTOCOL_PGM,      /* RFC 3208 section 8 */
    ONESUM_PROTOCOL_HIP,      /* RFC 7401 section 5.1.1 */
    ONESUM_PROTOCOLS          /* how many there are */
};

/* What is said of it. */
enum onesum_verdict {
    ONESUM_VERDICT_GOOD,
    ONESUM_VERDICT_BAD,
    /* The field holds just the pseudo-header's sum (over the packet's own, the captured or a zero length): the
     * sender left the rest to its network card. GRE has none, so that its 0 is one. Or it covers such a field,
     * and is right as soon as that is completed: the outer checksum of a tunnel, `expected` is then as stored.
     * Or an IPv4 header's 0 under ONESUM_PACKET_IGNORE_ZERO_IPV4. */
    ONESUM_VERDICT_PARTIAL,
    ONESUM_VERDICT_ABSENT,       /* 0 where that means that none was sent, as in UDP over IPv4 */
    ONESUM_VERDICT_ILLEGAL_ZERO, /* 0 in UDP over IPv6 (RFC 8200 section 8.1), in UDP-Lite, or in data of PGM */
    ONESUM_VERDICT_UNVERIFIABLE, /* see the reason */
    ONESUM_VERDICT_MALFORMED,    /* a header contradicts itself, so that it cannot be said what is covered */
    ONESUM_VERDICTS              /* how many there are */
};

/* Why a checksum is unverifiable. */
enum onesum_reason {
    ONESUM_REASON_NONE,
    ONESUM_REASON_FRAGMENT,     /* the packet is a fragment, and the rest is elsewhere */
    ONESUM_REASON_TRUNCATED,    /* a length passes the bytes that the enclosing layer or the buffer holds */
    ONESUM_REASON_ENCRYPTED,    /* ESP */
    ONESUM_REASON_PRESUMED_TSO, /* an IP length of 0: taken before the network card cut the packet in segments
                                 */
    ONESUM_REASON_OPTION,       /* an unknown option or routing header for which the packet must be discarded */
    ONESUM_REASON_CRC32C,       /* SCTP */
    ONESUM_REASONS              /* how many there are */
};

/* The names used in `onesum check --json`, such as "udplite", "illegal_zero" and "presumed_tso"; the reason
 * ONESUM_REASON_NONE is "". Static strings; NULL for any other number. */
ONESUM_API const char *onesum_protocol_name(int protocol);
ONESUM_API const char *onesum_verdict_name(int verdict);
ONESUM_API const char *onesum_reason_name(int reason);

/* The protocol of that name, or ONESUM_UNKNOWN. */
ONESUM_API int onesum_protocol_named(const char *name);

/* Bits of a result's flags. */
enum {
    ONESUM_RESULT_EXPECTED = 1, /* `expected` is known */
    ONESUM_RESULT_QUOTED = 2,   /* inside a packet that an ICMP error quotes; never filled */
    ONESUM_RESULT_PSEUDO = 4,   /* a pseudo-header is summed besides the covered bytes */
    ONESUM_RESULT_TSO = 8,      /* the packet's length is the buffer's: see ONESUM_REASON_PRESUMED_TSO */
    ONESUM_RESULT_FILLED = 16,  /* onesum_packet_fill() has stored `expected` */
    ONESUM_RESULT_FOLLOWED = 32 /* with FILLED: it was right, and covers bytes that were filled */
};

/* Some of a packet's bytes. */
struct onesum_packet_range {
    size_t offset; /* from the packet's first byte */
    size_t size;   /* in bytes */
};

/* One checksum. Offsets count from the first byte of the packet, in joined pieces too. */
struct onesum_packet_result {
    size_t offset; /* of the field of two bytes */
    /* The bytes summed, the field among them. The second range is empty, but in OSPFv2, which leaves out its
     * authentication between the two. Where the verdict is unverifiable for want of bytes, those that are
     * there; empty for a malformed header. */
    struct onesum_packet_range covered[2];
    /* Both as they lie in the packet, like every checksum of onesum.h: memcpy() of `expected` to `offset`
     * repairs it, ntohs() gives the number that people write. */
    uint16_t stored;
    uint16_t expected; /* the right value, and `stored` itself where that is good; valid with RESULT_EXPECTED */
    uint8_t protocol;  /* ONESUM_PROTOCOL_... */
    uint8_t verdict;   /* ONESUM_VERDICT_... */
    uint8_t reason;    /* ONESUM_REASON_..., NONE unless the verdict is unverifiable */
    uint8_t flags;     /* ONESUM_RESULT_... */
};

/* ---- Options ------------------------------------------------------------------------------------------- */

/* Bits of the options' flags. */
enum {
    /* A UDP checksum of 0 over IPv6 is absent, not illegal (RFC 6935, RFC 6936). */
    ONESUM_PACKET_ALLOW_ZERO_UDP6 = 1,
    /* An IPv4 header checksum of 0 that is not right is partial, not bad: left to the network card. */
    ONESUM_PACKET_IGNORE_ZERO_IPV4 = 2,
    /* Judge (and fill) a packet of presumed TSO as one segment of the captured length. */
    ONESUM_PACKET_JUDGE_TSO = 4
};

/* All zero are the defaults, and so is a NULL pointer to it. */
struct onesum_packet_options {
    uint32_t flags; /* ONESUM_PACKET_... */

    /* For onesum_packet_fill(): which to fill. Bits 1 << ONESUM_PROTOCOL_...; 0: every protocol. */
    uint32_t fill_protocols;
    /* Bits 1 << ONESUM_VERDICT_... of BAD, PARTIAL, ILLEGAL_ZERO and ABSENT (which gives a checksum to a
     * datagram that had none); 0: BAD, PARTIAL and ILLEGAL_ZERO. */
    uint32_t fill_verdicts;

    /* With ONESUM_PACKET_ALLOW_ZERO_UDP6: only for datagrams from or to one of these ports, in host order.
     * NULL or none: for all. */
    const uint16_t *zero_udp6_ports;
    size_t zero_udp6_port_count;
};

/* ---- Check and fill ------------------------------------------------------------------------------------ */

/* Judges every checksum in the `size` bytes at `packet`, which begin with link type `start`. Stores the first
 * `capacity` results, outermost first, which is in ascending order of offset, and returns how many there are:
 * at most ONESUM_PACKET_LAYERS. `results` may be NULL with capacity 0, `packet` with size 0. An unknown link
 * type gives 0 results. `size` is what there is of the packet; where the capture was cut, its headers tell. */
ONESUM_API size_t onesum_packet_check(const void *packet, size_t size, uint32_t start,
                                      const struct onesum_packet_options *options,
                                      struct onesum_packet_result *results, size_t capacity);

/* Judges as onesum_packet_check() does and stores the right value, innermost first, in each field whose
 * protocol and verdict the options choose. A right checksum that covers a byte so changed is filled too (it
 * "follows"), whatever the options choose; other good ones stay as they are. Left alone are quoted packets,
 * whatever is unverifiable or malformed, and partial sums of presumed TSO (unless ONESUM_PACKET_JUDGE_TSO). No
 * other byte of the packet changes. A result's verdict is that from before; FILLED in its flags tells what was
 * stored. Returns how many results there are; all of them are filled or left as said, also beyond `capacity`.
 */
ONESUM_API size_t onesum_packet_fill(void *packet, size_t size, uint32_t start,
                                     const struct onesum_packet_options *options,
                                     struct onesum_packet_result *results, size_t capacity);

/* ---- Packets in pieces --------------------------------------------------------------------------------- */

/* The same two for a packet that `list`, of `count` pieces, gives when joined. Pieces may be empty and of any
 * length: a header may lie across several of them, and even a checksum. */
ONESUM_API size_t onesum_packet_check_iov(const struct onesum_buffer *list, size_t count, uint32_t start,
                                          const struct onesum_packet_options *options,
                                          struct onesum_packet_result *results, size_t capacity);
ONESUM_API size_t onesum_packet_fill_iov(const struct onesum_writable *list, size_t count, uint32_t start,
                                         const struct onesum_packet_options *options,
                                         struct onesum_packet_result *results, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
