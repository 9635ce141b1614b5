/* onesum: software segmentation (GSO, USO) in one call. SPDX-License-Identifier: MIT
 *
 * A large TCP or UDP payload behind a template of its headers is cut into packets with headers, lengths and
 * checksums finished. The payload is read once: copied and summed in the same pass.
 *
 * The function is thread-safe and allocates nothing. No pointer needs any alignment.
 */
#ifndef ONESUM_GSO_H
#define ONESUM_GSO_H

#include <onesum/onesum.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be cut. */
struct onesum_gso_packet {
    /* The template: all headers of a packet one after the other, `header_size` bytes. From byte `network` on,
     * IPv4 with or without options or IPv6 with or without extension headers, then TCP with or without options
     * or UDP, and nothing after it. What comes before is copied as it is: 14 bytes of Ethernet, or none. */
    const void *headers;
    size_t header_size;
    size_t network;

    const void *payload; /* may be NULL where `size` is 0 */
    size_t size;         /* in bytes */
    size_t segment_size; /* of the payload, to a packet; the last one takes what is left */
};

/* Writes packet i of the `packet` to dst + i * stride, and returns how many packets there are: the payload's
 * size divided by `segment_size`, rounded up; without a payload 1, which is just headers. `stride` is
 * header_size + segment_size or more; nothing is written between the packets. `dst` overlaps neither the
 * template nor the payload.
 *
 * A packet's headers are the template's with these fields written, whatever the template has there: the lengths
 * of IPv4, IPv6 and UDP; the IPv4 identification, which is the template's and goes up by one with each packet;
 * the TCP sequence number, which is the template's and goes up by the payload; the checksums of IPv4 (RFC 791),
 * TCP and UDP (computed 0 is stored as 0xffff). TCP's FIN and PSH stay in the last packet only, CWR in the
 * first only (RFC 3168 section 6.1.2).
 *
 * Returns 0 and writes nothing for what cannot be cut so: a template that is none of the above or does not end
 * where its headers do; a fragment; an IPv4 source route with addresses left, an IPv6 routing header with
 * segments left or a Home Address option, under which the pseudo-header has other addresses than the IP header;
 * a jumbo payload option; a `segment_size` of 0; a packet longer than an IP length can say; SYN, RST or URG in
 * more than one packet. A packet inside a tunnel is cut by itself, behind room for the outer headers: see
 * onesum_outer(). */
ONESUM_API size_t onesum_gso(const struct onesum_gso_packet *packet, void *dst, size_t stride);

/* The size of packet i, headers and all, of those that onesum_gso() writes. */
ONESUM_INLINE size_t onesum_gso_size(const struct onesum_gso_packet *packet, size_t i) {
    size_t left = packet->size - i * packet->segment_size;
    return packet->header_size + (left < packet->segment_size ? left : packet->segment_size);
}

#ifdef __cplusplus
}
#endif

#endif
