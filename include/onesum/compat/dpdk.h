/* onesum: the checksum calls of DPDK's rte_ip.h, over onesum.h. SPDX-License-Identifier: MIT
 *
 * Each rte_NAME of that header that sums bytes has its onesum_rte_NAME here, with the same arguments and the
 * same results. Where ONESUM_DPDK_REPLACE is defined before this file is included, the rte_ names mean these in
 * what follows; rte_ip.h is included first, so that its own definitions stay as they are. Written for the mbuf
 * and the headers of DPDK 21.11 and later.
 *
 * They differ from DPDK 22.11 where that is wrong: a segment of an mbuf chain that begins at an odd offset
 * loses no carries; a buffer may be longer than 128 KiB; an offset and a length that together pass 2^32 are
 * refused, and so is a chain that ends before its pkt_len; 0 bytes at the end of a chain are no error.
 *
 * As there, checksums are big-endian values (rte_be16_t), a raw checksum is not complemented, and the field
 * must be 0 in what is summed to be filled. The calls that DPDK calls experimental want no such flag here.
 */
#ifndef ONESUM_COMPAT_DPDK_H
#define ONESUM_COMPAT_DPDK_H

#include <onesum/onesum.h>
#include <rte_ip.h>
#include <rte_mbuf.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Bytes --------------------------------------------------------------------------------------------- */

/* Folded to 16 bits and not complemented. */
static inline uint16_t onesum_rte_raw(uint32_t sum) { return (uint16_t)~onesum_fold(sum); }

static inline uint16_t onesum_rte_raw_cksum(const void *buf, size_t len) {
    return onesum_rte_raw(onesum_partial(buf, len, 0));
}

/* The partial sum of `len` bytes from byte `off` of the chain `m`, added to *sum; 0, or -1 where the chain is
 * shorter than that. */
static inline int onesum_rte_partial_mbuf(const struct rte_mbuf *m, uint32_t off, uint32_t len, uint32_t *sum) {
    uint32_t done = 0;
    if ((uint64_t)off + len > m->pkt_len) return -1;
    for (; m != NULL && done < len; m = m->next) {
        uint32_t size = m->data_len;
        if (off >= size) {
            off -= size;
            continue;
        }
        size -= off;
        if (size > len - done) size = len - done;
        *sum = onesum_block_add(*sum, onesum_partial((const char *)m->buf_addr + m->data_off + off, size, 0),
                                done);
        done += size;
        off = 0;
    }
    return done == len ? 0 : -1;
}

static inline int onesum_rte_raw_cksum_mbuf(const struct rte_mbuf *m, uint32_t off, uint32_t len,
                                            uint16_t *cksum) {
    uint32_t sum = 0;
    if (onesum_rte_partial_mbuf(m, off, len, &sum) != 0) return -1;
    *cksum = onesum_rte_raw(sum);
    return 0;
}

/* ---- IPv4 ---------------------------------------------------------------------------------------------- */

static inline uint16_t onesum_rte_ipv4_cksum(const struct rte_ipv4_hdr *ipv4_hdr) {
    return onesum_ipv4_header(ipv4_hdr, ipv4_hdr->version_ihl & 0x0fu);
}

/* The bytes behind an IPv4 header: below 0 where its lengths contradict each other. */
static inline int32_t onesum_rte_ipv4_payload(const struct rte_ipv4_hdr *ipv4_hdr) {
    return (int32_t)rte_be_to_cpu_16(ipv4_hdr->total_length) - (ipv4_hdr->version_ihl & 0x0f) * 4;
}

static inline uint32_t onesum_rte_ipv4_pseudo(const struct rte_ipv4_hdr *ipv4_hdr, uint32_t len) {
    return onesum_pseudo_ipv4(&ipv4_hdr->src_addr, &ipv4_hdr->dst_addr, len, ipv4_hdr->next_proto_id, 0);
}

/* With RTE_MBUF_F_TX_TCP_SEG in `ol_flags` the length is left out, as network cards want it for TSO. */
static inline uint16_t onesum_rte_ipv4_phdr_cksum(const struct rte_ipv4_hdr *ipv4_hdr, uint64_t ol_flags) {
    return onesum_rte_raw(onesum_rte_ipv4_pseudo(
        ipv4_hdr, ol_flags & RTE_MBUF_F_TX_TCP_SEG ? 0 : (uint16_t)onesum_rte_ipv4_payload(ipv4_hdr)));
}

/* The checksum to store over the partial sum `sum`: UDP's is never 0 (RFC 768). */
static inline uint16_t onesum_rte_fold(uint32_t sum, uint8_t proto) {
    return proto == IPPROTO_UDP ? onesum_fold_udp(sum) : onesum_fold(sum);
}

/* The partial sum of a TCP or UDP packet and its pseudo-header; 0 where its lengths make no sense. */
static inline uint32_t onesum_rte_ipv4_sum(const struct rte_ipv4_hdr *ipv4_hdr, const void *l4_hdr) {
    const int32_t len = onesum_rte_ipv4_payload(ipv4_hdr);
    if (len < 0) return 0;
    return onesum_partial(l4_hdr, (size_t)len, onesum_rte_ipv4_pseudo(ipv4_hdr, (uint32_t)len));
}
static inline uint32_t onesum_rte_ipv4_sum_mbuf(const struct rte_mbuf *m, const struct rte_ipv4_hdr *ipv4_hdr,
                                                uint16_t l4_off) {
    const int32_t len = onesum_rte_ipv4_payload(ipv4_hdr);
    uint32_t sum = 0;
    if (len < 0 || onesum_rte_partial_mbuf(m, l4_off, (uint32_t)len, &sum) != 0) return 0;
    return onesum_add(sum, onesum_rte_ipv4_pseudo(ipv4_hdr, (uint32_t)len));
}

static inline uint16_t onesum_rte_ipv4_udptcp_cksum(const struct rte_ipv4_hdr *ipv4_hdr, const void *l4_hdr) {
    return onesum_rte_fold(onesum_rte_ipv4_sum(ipv4_hdr, l4_hdr), ipv4_hdr->next_proto_id);
}
static inline uint16_t onesum_rte_ipv4_udptcp_cksum_mbuf(const struct rte_mbuf *m,
                                                         const struct rte_ipv4_hdr *ipv4_hdr, uint16_t l4_off) {
    return onesum_rte_fold(onesum_rte_ipv4_sum_mbuf(m, ipv4_hdr, l4_off), ipv4_hdr->next_proto_id);
}

/* 0 where the checksum in the packet is right, else -1. A UDP checksum of 0 is none: the caller looks first. */
static inline int onesum_rte_ipv4_udptcp_cksum_verify(const struct rte_ipv4_hdr *ipv4_hdr, const void *l4_hdr) {
    return onesum_fold(onesum_rte_ipv4_sum(ipv4_hdr, l4_hdr)) == 0 ? 0 : -1;
}
static inline int onesum_rte_ipv4_udptcp_cksum_mbuf_verify(const struct rte_mbuf *m,
                                                           const struct rte_ipv4_hdr *ipv4_hdr,
                                                           uint16_t l4_off) {
    return onesum_fold(onesum_rte_ipv4_sum_mbuf(m, ipv4_hdr, l4_off)) == 0 ? 0 : -1;
}

/* ---- IPv6, without extension headers -------------------------------------------------------------------- */

static inline uint32_t onesum_rte_ipv6_pseudo(const struct rte_ipv6_hdr *ipv6_hdr, uint32_t len) {
    return onesum_pseudo_ipv6(&ipv6_hdr->src_addr, &ipv6_hdr->dst_addr, len, ipv6_hdr->proto, 0);
}

static inline uint16_t onesum_rte_ipv6_phdr_cksum(const struct rte_ipv6_hdr *ipv6_hdr, uint64_t ol_flags) {
    return onesum_rte_raw(onesum_rte_ipv6_pseudo(
        ipv6_hdr, ol_flags & RTE_MBUF_F_TX_TCP_SEG ? 0 : rte_be_to_cpu_16(ipv6_hdr->payload_len)));
}

static inline uint32_t onesum_rte_ipv6_sum(const struct rte_ipv6_hdr *ipv6_hdr, const void *l4_hdr) {
    const uint32_t len = rte_be_to_cpu_16(ipv6_hdr->payload_len);
    return onesum_partial(l4_hdr, len, onesum_rte_ipv6_pseudo(ipv6_hdr, len));
}
static inline uint32_t onesum_rte_ipv6_sum_mbuf(const struct rte_mbuf *m, const struct rte_ipv6_hdr *ipv6_hdr,
                                                uint16_t l4_off) {
    const uint32_t len = rte_be_to_cpu_16(ipv6_hdr->payload_len);
    uint32_t sum = 0;
    if (onesum_rte_partial_mbuf(m, l4_off, len, &sum) != 0) return 0;
    return onesum_add(sum, onesum_rte_ipv6_pseudo(ipv6_hdr, len));
}

static inline uint16_t onesum_rte_ipv6_udptcp_cksum(const struct rte_ipv6_hdr *ipv6_hdr, const void *l4_hdr) {
    return onesum_rte_fold(onesum_rte_ipv6_sum(ipv6_hdr, l4_hdr), ipv6_hdr->proto);
}
static inline uint16_t onesum_rte_ipv6_udptcp_cksum_mbuf(const struct rte_mbuf *m,
                                                         const struct rte_ipv6_hdr *ipv6_hdr, uint16_t l4_off) {
    return onesum_rte_fold(onesum_rte_ipv6_sum_mbuf(m, ipv6_hdr, l4_off), ipv6_hdr->proto);
}

static inline int onesum_rte_ipv6_udptcp_cksum_verify(const struct rte_ipv6_hdr *ipv6_hdr, const void *l4_hdr) {
    return onesum_fold(onesum_rte_ipv6_sum(ipv6_hdr, l4_hdr)) == 0 ? 0 : -1;
}
static inline int onesum_rte_ipv6_udptcp_cksum_mbuf_verify(const struct rte_mbuf *m,
                                                           const struct rte_ipv6_hdr *ipv6_hdr,
                                                           uint16_t l4_off) {
    return onesum_fold(onesum_rte_ipv6_sum_mbuf(m, ipv6_hdr, l4_off)) == 0 ? 0 : -1;
}

#ifdef __cplusplus
}
#endif

#endif

#if defined(ONESUM_DPDK_REPLACE) && !defined(ONESUM_DPDK_REPLACED)
#define ONESUM_DPDK_REPLACED
#define rte_raw_cksum onesum_rte_raw_cksum
#define rte_raw_cksum_mbuf onesum_rte_raw_cksum_mbuf
#define rte_ipv4_cksum onesum_rte_ipv4_cksum
#define rte_ipv4_phdr_cksum onesum_rte_ipv4_phdr_cksum
#define rte_ipv4_udptcp_cksum onesum_rte_ipv4_udptcp_cksum
#define rte_ipv4_udptcp_cksum_mbuf onesum_rte_ipv4_udptcp_cksum_mbuf
#define rte_ipv4_udptcp_cksum_verify onesum_rte_ipv4_udptcp_cksum_verify
#define rte_ipv4_udptcp_cksum_mbuf_verify onesum_rte_ipv4_udptcp_cksum_mbuf_verify
#define rte_ipv6_phdr_cksum onesum_rte_ipv6_phdr_cksum
#define rte_ipv6_udptcp_cksum onesum_rte_ipv6_udptcp_cksum
#define rte_ipv6_udptcp_cksum_mbuf onesum_rte_ipv6_udptcp_cksum_mbuf
#define rte_ipv6_udptcp_cksum_verify onesum_rte_ipv6_udptcp_cksum_verify
#define rte_ipv6_udptcp_cksum_mbuf_verify onesum_rte_ipv6_udptcp_cksum_mbuf_verify
#endif
