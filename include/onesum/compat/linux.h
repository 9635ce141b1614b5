/* onesum: the checksum calls of the Linux kernel, over onesum.h. SPDX-License-Identifier: MIT
 *
 * For code that comes from the kernel, or is built both for it and for user space. The names, the arguments and
 * their byte order are those of the kernel's net/checksum.h and net/ip6_checksum.h; the code is onesum's own.
 *
 * A __wsum is a partial sum and a __sum16 a checksum of onesum.h, both as they lie in a packet. As in the
 * kernel, where each architecture sums in its own way, any congruent partial sum may come out of csum_partial()
 * and the calls that give a __wsum: csum_fold() them before comparing. Lengths are ints; a negative one counts
 * as 0.
 *
 * What works on an sk_buff is not here: inet_proto_csum_replace4() and its kin are csum_replace4() or
 * csum_replace_by_diff() where skb->ip_summed is not CHECKSUM_PARTIAL.
 */
#ifndef ONESUM_COMPAT_LINUX_H
#define ONESUM_COMPAT_LINUX_H

#include <onesum/onesum.h>

/* The kernel's types, from its own header for user space where there is one. */
#if defined(__has_include)
#if __has_include(<linux/types.h>)
#include <linux/types.h>
#define ONESUM_HAVE_LINUX_TYPES
#endif
#elif defined(__linux__)
#include <linux/types.h>
#define ONESUM_HAVE_LINUX_TYPES
#endif
#ifndef ONESUM_HAVE_LINUX_TYPES
typedef uint8_t __u8;
typedef uint32_t __u32;
typedef uint16_t __be16;
typedef uint32_t __be32;
typedef uint16_t __sum16;
typedef uint32_t __wsum;
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct in6_addr; /* 16 bytes in network order, as in linux/in6.h and netinet/in.h */

/* What UDP stores where the checksum comes out as 0. */
#ifndef CSUM_MANGLED_0
#define CSUM_MANGLED_0 ((__sum16)0xffff)
#endif

/* ---- Sums over bytes ----------------------------------------------------------------------------------- */

/* The partial sum of `len` bytes, added to `sum`. */
static inline __wsum csum_partial(const void *buff, int len, __wsum sum) {
    return onesum_partial(buff, len > 0 ? (size_t)len : 0, sum);
}
static inline __wsum csum_partial_ext(const void *buff, int len, __wsum sum) {
    return csum_partial(buff, len, sum);
}

/* Copies and sums in one pass, from the partial sum 0. */
static inline __wsum csum_partial_copy_nocheck(const void *src, void *dst, int len) {
    return onesum_copy(dst, src, len > 0 ? (size_t)len : 0, 0);
}

/* The same between user space and the kernel, where 0 means a fault and the sum begins with all ones, so as
 * never to be 0. Here nothing but a signal can tell of a fault. */
static inline __wsum csum_and_copy_from_user(const void *src, void *dst, int len) {
    return onesum_copy(dst, src, len > 0 ? (size_t)len : 0, 0xffffffff);
}
static inline __wsum csum_and_copy_to_user(const void *src, void *dst, int len) {
    return onesum_copy(dst, src, len > 0 ? (size_t)len : 0, 0xffffffff);
}

/* Folds to 16 bits and complements. */
static inline __sum16 csum_fold(__wsum sum) { return onesum_fold(sum); }

/* The checksum of `len` bytes. */
static inline __sum16 ip_compute_csum(const void *buff, int len) {
    return csum_fold(csum_partial(buff, len, 0));
}

/* The checksum of an IPv4 header of `ihl` 32-bit words: 0 where its own is right. */
static inline __sum16 ip_fast_csum(const void *iph, unsigned int ihl) { return onesum_ipv4_header(iph, ihl); }

/* ---- Pseudo-headers ------------------------------------------------------------------------------------ */

/* Addresses in network order, `len` of the TCP or UDP header and payload in host order. */
static inline __wsum csum_tcpudp_nofold(__be32 saddr, __be32 daddr, __u32 len, __u8 proto, __wsum sum) {
    return onesum_pseudo_ipv4(&saddr, &daddr, len, proto, sum);
}
static inline __sum16 csum_tcpudp_magic(__be32 saddr, __be32 daddr, __u32 len, __u8 proto, __wsum sum) {
    return csum_fold(csum_tcpudp_nofold(saddr, daddr, len, proto, sum));
}
static inline __sum16 csum_ipv6_magic(const struct in6_addr *saddr, const struct in6_addr *daddr, __u32 len,
                                      __u8 proto, __wsum sum) {
    return csum_fold(onesum_pseudo_ipv6(saddr, daddr, len, proto, sum));
}

/* ---- Arithmetic ---------------------------------------------------------------------------------------- */

static inline __wsum csum_unfold(__sum16 n) { return n; }
static inline __wsum csum_add(__wsum csum, __wsum addend) { return onesum_add(csum, addend); }
static inline __wsum csum_sub(__wsum csum, __wsum addend) { return onesum_sub(csum, addend); }
static inline __wsum wsum_negate(__wsum val) { return 0 - val; }

/* 16-bit values, with end-around carry. */
static inline __sum16 csum16_add(__sum16 csum, __be16 addend) {
    const uint32_t sum = (uint32_t)csum + addend; /* below 2^17: the carry is 0 or 1 */
    return (__sum16)(sum + (sum >> 16));
}
static inline __sum16 csum16_sub(__sum16 csum, __be16 addend) { return csum16_add(csum, (__be16)~addend); }
static inline __sum16 csum_from32to16(__wsum sum) { return (__sum16)~onesum_fold(sum); }

/* A sum as it counts `offset` bytes further on; only whether that is odd matters, so that a negative one is
 * fine as well. */
static inline __wsum csum_shift(__wsum sum, int offset) { return onesum_rotate(sum, (size_t)(offset & 1)); }
static inline __wsum csum_block_add(__wsum csum, __wsum csum2, int offset) {
    return csum_add(csum, csum_shift(csum2, offset));
}
static inline __wsum csum_block_add_ext(__wsum csum, __wsum csum2, int offset, int len) {
    (void)len;
    return csum_block_add(csum, csum2, offset);
}
static inline __wsum csum_block_sub(__wsum csum, __wsum csum2, int offset) {
    return csum_sub(csum, csum_shift(csum2, offset));
}

/* ---- Updates of a stored checksum ------------------------------------------------------------------------ */

/* After a 16-bit or a 32-bit value that it covers, as stored in the packet, has changed (RFC 1624 equation 3);
 * after the bytes have changed by csum_sub(sum of the new, sum of the old). */
static inline void csum_replace2(__sum16 *sum, __be16 from, __be16 to) {
    *sum = onesum_replace16(*sum, from, to);
}
static inline void csum_replace4(__sum16 *sum, __be32 from, __be32 to) {
    *sum = onesum_replace32(*sum, from, to);
}
static inline void csum_replace_by_diff(__sum16 *sum, __wsum diff) { *sum = onesum_replace_diff(*sum, diff); }

/* The same for a partial sum of which one part is exchanged for another. */
static inline void csum_replace(__wsum *csum, __wsum from, __wsum to) {
    *csum = csum_add(csum_sub(*csum, from), to);
}

/* Remote checksum offload: `csum` is the partial sum from `ptr` to the packet's end. Stores in the field at
 * `offset` the checksum of what begins at `start`, where the field held that of the pseudo-header, and returns
 * by how much the sum of the whole changed; the second call takes that back. */
static inline __wsum remcsum_adjust(void *ptr, __wsum csum, int start, int offset) {
    char *field = (char *)ptr + offset;
    __sum16 before, after;
    memcpy(&before, field, sizeof before);
    after = csum_fold(csum_sub(csum, csum_partial(ptr, start, 0)));
    memcpy(field, &after, sizeof after);
    return csum_sub(after, before);
}
static inline void remcsum_unadjust(__sum16 *psum, __wsum delta) { *psum = csum_fold(csum_sub(delta, *psum)); }

#ifdef __cplusplus
}
#endif

#endif
