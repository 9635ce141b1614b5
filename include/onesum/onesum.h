/* onesum: the Internet checksum (RFC 1071). SPDX-License-Identifier: MIT
 *
 * Two kinds of value:
 *
 * - A partial sum is a uint32_t: the one's complement sum of the 16-bit words of some bytes, each word read
 *   in the machine's own byte order, an odd last byte padded with a zero byte after it, folded to at most 32
 *   bits and not complemented. It is what a sum over more bytes goes on from.
 * - A checksum is a uint16_t as it lies in a packet: store it with a plain 16-bit store or memcpy, without any
 *   swap of bytes. onesum_fold() makes it of a partial sum.
 *
 * Two implementations may give different partial sums for the same bytes. They are congruent modulo 0xffff, and
 * 0 only if the seed and all the bytes are 0, so that their checksums are equal: compare checksums, not partial
 * sums. Subtraction keeps only the congruence (taking everything away leaves 0xffffffff, not 0): good enough
 * for a verdict, not for telling a stored 0 from a stored 0xffff.
 *
 * All functions may be called from any thread at any time, from before main() on, after fork() and, once the
 * library is loaded, in a signal handler. None of them allocates, prints, or fails, unless it says so. No
 * pointer needs any alignment.
 */
#ifndef ONESUM_ONESUM_H
#define ONESUM_ONESUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The version of this header; onesum_version() tells the library's. */
#define ONESUM_VERSION_MAJOR 0
#define ONESUM_VERSION_MINOR 1
#define ONESUM_VERSION_PATCH 0

/* What the library exports. Defined beforehand as nothing, a program or library that has onesum.c as a part of
 * its own and hides what it does not name exports none of it. */
#if defined(ONESUM_API)
#elif defined(__GNUC__)
#define ONESUM_API __attribute__((visibility("default")))
#else
#define ONESUM_API
#endif

/* Inline, and a symbol of the library as well (for other languages and for C compilers that don't inline). On
 * Windows C has copies of its own: a symbol there cannot stand beside one that C++ has inline. */
#if defined(ONESUM_INLINE) /* by the library, where it makes the symbols */
#elif defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L && \
                               !defined(__GNUC_GNU_INLINE__) && !defined(_WIN32))
#define ONESUM_INLINE ONESUM_API inline
#else
#define ONESUM_INLINE static __inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Sums over bytes ---------------------------------------------------------------------------------- */

/* The partial sum of `size` bytes at `data`, added to the partial sum `sum` (0 to begin with; any 32-bit value
 * is allowed). `size` 0 returns `sum` unchanged, and `data` may then be NULL. To go on after an odd number of
 * bytes, use onesum_block_add(), onesum_update() or onesum_partial_iov(). RFC 1071 section 2. */
ONESUM_API uint32_t onesum_partial(const void *data, size_t size, uint32_t sum);

/* Copies `size` bytes from `src` to `dst`, which must not overlap, and returns what onesum_partial(src, size,
 * sum) does, reading the bytes once. Writes nothing else. `size` 0 returns `sum`; both pointers may then be
 * NULL. */
ONESUM_API uint32_t onesum_copy(void *dst, const void *src, size_t size, uint32_t sum);

/* The checksum of `size` bytes: onesum_fold(onesum_partial(data, size, 0)). Over bytes that contain their own
 * checksum it is 0 where that one is right (RFC 1071 section 1). */
ONESUM_API uint16_t onesum_checksum(const void *data, size_t size);

/* ---- Arithmetic on partial sums (RFC 1071 section 2, RFC 1624) ------------------------------------------ */

/* The checksum of what the partial sum `sum` covers: folded to 16 bits and complemented. */
ONESUM_INLINE uint16_t onesum_fold(uint32_t sum) {
    /* The halves are added in the high half, to which the addition of the low ones has carried: end-around. */
    return (uint16_t)(~(sum + (sum >> 16 | sum << 16)) >> 16);
}

/* The sum of two partial sums, the second over bytes at an even offset from the first's. 0 only if both are. */
ONESUM_INLINE uint32_t onesum_add(uint32_t a, uint32_t b) {
    uint32_t sum = a + b;
    return sum + (sum < a); /* end-around carry; a + b - 2^32 is below 2^32 - 1, so this cannot wrap */
}

/* The partial sum `a` without the bytes that `b` covers, at an even offset. Congruent only: see above. */
ONESUM_INLINE uint32_t onesum_sub(uint32_t a, uint32_t b) { return onesum_add(a, ~b); }

/* A partial sum as it counts `offset` bytes further on: swapping the bytes of every word multiplies the sum by
 * 256, which at an odd offset is a rotation by 8 bits. Rotating twice by 8 is a rotation by 16, congruent. */
ONESUM_INLINE uint32_t onesum_rotate(uint32_t sum, size_t offset) {
    return offset & 1 ? (sum << 8 | sum >> 24) : sum;
}

/* Adds the partial sum `block` of bytes that begin `offset` bytes after the first byte that `sum` covers, or
 * takes them away. For chained pieces with odd lengths, and for headers that are pulled or pushed. */
ONESUM_INLINE uint32_t onesum_block_add(uint32_t sum, uint32_t block, size_t offset) {
    return onesum_add(sum, onesum_rotate(block, offset));
}
ONESUM_INLINE uint32_t onesum_block_sub(uint32_t sum, uint32_t block, size_t offset) {
    return onesum_sub(sum, onesum_rotate(block, offset));
}

/* ---- Updates of a stored checksum (RFC 1624 equation 3) -------------------------------------------------- */

/* The checksum after the bytes it covers have changed by `diff`, a onesum_sub(partial sum of the new bytes,
 * partial sum of the old bytes), both at an even offset in what the checksum covers (onesum_rotate() the
 * difference otherwise). */
ONESUM_INLINE uint16_t onesum_replace_diff(uint16_t check, uint32_t diff) {
    return onesum_fold(onesum_add((uint16_t)~check, diff));
}

/* The checksum after a 16-bit word at an even offset has changed. All three values as they are stored in the
 * packet. A UDP checksum of 0 means that there is none: leave it alone. */
ONESUM_INLINE uint16_t onesum_replace16(uint16_t check, uint16_t from, uint16_t to) {
    return onesum_fold((uint32_t)(uint16_t)~check + (uint16_t)~from + to);
}

/* The same for 32 bits at an even offset, such as an IPv4 address or a TCP sequence number. */
ONESUM_INLINE uint16_t onesum_replace32(uint16_t check, uint32_t from, uint32_t to) {
    return onesum_replace_diff(check, onesum_sub(to, from));
}

/* The same for 16 bytes at an even offset, such as an IPv6 address. */
ONESUM_INLINE uint16_t onesum_replace128(uint16_t check, const void *from, const void *to);

/* UDP, where a checksum of 0 means that there is none (RFC 768): onesum_fold() with a computed 0 stored as
 * 0xffff, which is the same value, and onesum_replace_diff() that also leaves a stored 0 alone. */
ONESUM_INLINE uint16_t onesum_fold_udp(uint32_t sum) {
    uint16_t check = onesum_fold(sum);
    return check ? check : 0xffff;
}
ONESUM_INLINE uint16_t onesum_replace_diff_udp(uint16_t check, uint32_t diff) {
    return check ? onesum_fold_udp(onesum_add((uint16_t)~check, diff)) : 0;
}

/* A change of bytes under a checksum: the `size` bytes at `from` become those at `to`, at a place `offset`
 * bytes after the first that the checksum covers, or after a word of it (only whether it is odd matters). */
struct onesum_change {
    const void *from;
    const void *to;
    size_t size;
    size_t offset;
};

/* What `count` changes together make of a sum, for onesum_replace_diff(). For more than one checksum over the
 * same changes: a new IPv4 address changes the header's own and, through the pseudo-header, that of TCP or UDP.
 */
ONESUM_API uint32_t onesum_diff(const struct onesum_change *changes, size_t count);

/* The checksum after `count` changes, such as an address and a port in network address translation; the second
 * for UDP, as above. */
ONESUM_INLINE uint16_t onesum_replace(uint16_t check, const struct onesum_change *changes, size_t count) {
    return onesum_replace_diff(check, onesum_diff(changes, count));
}
ONESUM_INLINE uint16_t onesum_replace_udp(uint16_t check, const struct onesum_change *changes, size_t count) {
    return onesum_replace_diff_udp(check, onesum_diff(changes, count));
}

/* ---- Headers that come and go ------------------------------------------------------------------------------
 */

/* The partial sum `sum` of some bytes after the `size` bytes at `header`, with which they begin, are taken off
 * (decapsulation, where a network card has summed the whole frame), and after they are put in front. */
ONESUM_INLINE uint32_t onesum_pull(uint32_t sum, const void *header, size_t size) {
    return onesum_rotate(onesum_sub(sum, onesum_partial(header, size, 0)), size);
}
ONESUM_INLINE uint32_t onesum_push(uint32_t sum, const void *header, size_t size) {
    return onesum_block_add(onesum_partial(header, size, 0), sum, size);
}

/* Local checksum offload: the partial sum, added to `sum`, of an outer packet whose inner one has a right
 * checksum, or one that a network card will make right, without reading the inner packet. `headers` are the
 * `size` bytes from the outer TCP or UDP header up to the inner one, which goes up to the outer packet's end.
 * `inner` is the partial sum of the inner pseudo-header: with it, what a right checksum covers sums to 0xffff,
 * so without it, to its complement. Where the inner checksum is left to the card, the field holds just that
 * sum, and may be passed as it is stored. An inner UDP checksum of 0 is none, and tells nothing. */
ONESUM_INLINE uint32_t onesum_outer(const void *headers, size_t size, uint32_t inner, uint32_t sum) {
    return onesum_block_add(onesum_partial(headers, size, sum), ~inner, size);
}

/* ---- Headers: sums of a fixed size, without a call --------------------------------------------------------
 */

/* 32 or 64 bits at any alignment, in the machine's byte order. */
ONESUM_INLINE uint32_t onesum_load32(const void *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}
ONESUM_INLINE uint64_t onesum_load64(const void *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* A 64-bit one's complement sum as a partial sum: its two halves added with end-around carry. */
ONESUM_INLINE uint32_t onesum_fold64(uint64_t sum) {
    return (uint32_t)((sum + (sum >> 32 | sum << 32)) >> 32); /* as in onesum_fold() */
}

/* The one's complement sum of three 64-bit words. One chain of carries where the compiler would make a compare
 * and an addition of each. */
ONESUM_INLINE uint64_t onesum_add64(uint64_t a, uint64_t b, uint64_t c) {
#if defined(__GNUC__) && defined(__x86_64__)
    __asm__("addq %1, %0\n\tadcq %2, %0\n\tadcq $0, %0" : "+&r"(a) : "r"(b), "r"(c) : "cc");
    return a;
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__("adds %0, %0, %1\n\tadcs %0, %0, %2\n\tadc %0, %0, xzr" : "+&r"(a) : "r"(b), "r"(c) : "cc");
    return a;
#else
    a += b;
    a += a < b;
    a += c;
    return a + (a < c);
#endif
}

#if defined(__GNUC__)
/* In C, gcc takes an array of const bytes for one that is not const. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-qual"
#endif

/* The same of one word and the 16 bytes each at `a` and `b`, in one chain. After an addition that carries the
 * sum is below 2^64 - 1, so that the carry of the one before can always be taken in, and the last one as well.
 */
ONESUM_INLINE uint64_t onesum_add_addresses(uint64_t sum, const void *a, const void *b) {
    const char *s = (const char *)a, *d = (const char *)b;
#if defined(__GNUC__) && defined(__x86_64__)
    __asm__("addq %1, %0\n\tadcq %2, %0\n\tadcq %3, %0\n\tadcq %4, %0\n\tadcq $0, %0"
            : "+&r"(sum)
            : "m"(*(const unsigned char(*)[8])s), "m"(*(const unsigned char(*)[8])(s + 8)),
              "m"(*(const unsigned char(*)[8])d), "m"(*(const unsigned char(*)[8])(d + 8))
            : "cc");
    return sum;
#else
    sum = onesum_add64(sum, onesum_load64(s), onesum_load64(s + 8));
    return onesum_add64(sum, onesum_load64(d), onesum_load64(d + 8));
#endif
}

/* The partial sum of 20 bytes. */
ONESUM_INLINE uint32_t onesum_sum20(const void *at) {
    const char *words = (const char *)at;
    uint32_t sum = onesum_load32(words);
#if defined(__GNUC__) && defined(__x86_64__)
    __asm__("addl 4(%1), %0\n\tadcl 8(%1), %0\n\tadcl 12(%1), %0\n\tadcl 16(%1), %0\n\tadcl $0, %0"
            : "+&r"(sum)
            : "r"(words), "m"(*(const unsigned char(*)[20])words)
            : "cc");
    return sum;
#else
    /* Five words below 2^32: below 2^35. */
    return onesum_fold64((uint64_t)sum + onesum_load32(words + 4) + onesum_load32(words + 8) +
                         onesum_load32(words + 12) + onesum_load32(words + 16));
#endif
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* The value whose bytes in memory are those of `value` in network order. */
ONESUM_INLINE uint32_t onesum_network32(uint32_t value) {
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap32(value);
#else
    const unsigned char bytes[4] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                                    (unsigned char)(value >> 8), (unsigned char)value};
    return onesum_load32(bytes);
#endif
}

ONESUM_INLINE uint16_t onesum_replace128(uint16_t check, const void *from, const void *to) {
    const char *f = (const char *)from, *t = (const char *)to;
    uint64_t sum = onesum_add64(onesum_load64(t), onesum_load64(t + 8), (uint16_t)~check);
    sum = onesum_add64(sum, ~onesum_load64(f), ~onesum_load64(f + 8));
    return onesum_fold(onesum_fold64(sum));
}

/* Adds the pseudo-header of TCP and UDP over IPv4 (RFC 793 section 3.1) to `sum`. `src` and `dst` point to the
 * 4-byte addresses as they are in the packet; `length` is the length of the TCP or UDP header and its payload
 * in host order, or 0 for the seed that a network card wants for segmentation; `protocol` is 6, 17, ... */
ONESUM_INLINE uint32_t onesum_pseudo_ipv4(const void *src, const void *dst, uint32_t length, uint8_t protocol,
                                          uint32_t sum) {
    /* Five values below 2^32: below 2^35. */
    return onesum_fold64((uint64_t)sum + onesum_load32(src) + onesum_load32(dst) + onesum_network32(length) +
                         onesum_network32(protocol));
}

/* The same for IPv6 (RFC 8200 section 8.1): 16-byte addresses, `length` of the upper-layer packet, and its own
 * protocol number, not that of an extension header before it. */
ONESUM_INLINE uint32_t onesum_pseudo_ipv6(const void *src, const void *dst, uint32_t length,
                                          uint8_t next_header, uint32_t sum) {
    /* Three values below 2^32: below 2^34. */
    const uint64_t rest = (uint64_t)sum + onesum_network32(length) + onesum_network32(next_header);
    return onesum_fold64(onesum_add_addresses(rest, src, dst));
}

/* The checksum of an IPv4 header of `ihl` 32-bit words (the IHL field; 5 without options): 0 where the header's
 * own checksum is right, and over a header with that field zeroed the value to store (RFC 791 section 3.1). No
 * call for 5 words. Fewer than 5 are summed as written: whether that is a header is not judged here. */
ONESUM_INLINE uint16_t onesum_ipv4_header(const void *header, unsigned ihl) {
    if (ihl != 5) return onesum_checksum(header, (size_t)ihl * 4);
    return onesum_fold(onesum_sum20(header));
}

/* ---- Bytes in pieces ---------------------------------------------------------------------------------------
 */

/* A sum over pieces that come one after the other. Its fields are private. One thread at a time for one state.
 */
struct onesum_state {
    uint32_t sum; /* rotated so that the next byte begins a word */
    uint32_t odd; /* 1 after an odd number of bytes */
};

/* Begins with the partial sum `sum`. */
ONESUM_INLINE void onesum_init(struct onesum_state *state, uint32_t sum) {
    state->sum = sum;
    state->odd = 0;
}

/* Adds the next `size` bytes; any number of them, odd and 0 as well (`data` may then be NULL). */
ONESUM_API void onesum_update(struct onesum_state *state, const void *data, size_t size);

/* The partial sum so far. onesum_update() may go on after it. */
ONESUM_INLINE uint32_t onesum_final(const struct onesum_state *state) {
    return onesum_rotate(state->sum, state->odd);
}

/* A piece of memory, laid out like POSIX's struct iovec: a list of those may be passed by a cast. */
struct onesum_buffer {
    const void *data;
    size_t size;
};

/* The partial sum of `size` bytes from byte `offset` of the bytes that `list`, of `count` pieces, gives when
 * joined, added to `sum`. Where the list ends before them, what is there counts. Pieces may be empty, and of
 * any length and alignment. */
ONESUM_API uint32_t onesum_partial_iov(const struct onesum_buffer *list, size_t count, size_t offset,
                                       size_t size, uint32_t sum);

/* A writable piece of memory, laid out likewise. */
struct onesum_writable {
    void *data;
    size_t size;
};

/* Copies `size` bytes from byte `src_offset` of the joined list `src` to byte `dst_offset` of the joined list
 * `dst`, and returns what onesum_partial_iov(src, src_count, src_offset, size, sum) does, reading them once.
 * The lists may be cut differently, and must not overlap. Where one of them ends earlier, the bytes up to there
 * are copied and counted. Writes nothing else. */
ONESUM_API uint32_t onesum_copy_iov(const struct onesum_writable *dst, size_t dst_count, size_t dst_offset,
                                    const struct onesum_buffer *src, size_t src_count, size_t src_offset,
                                    size_t size, uint32_t sum);

/* Cuts `size` bytes at `payload` into segments of `segment_size` bytes, the last one as long as what is left,
 * and copies segment i to dst + i * stride + room, behind `room` bytes for headers, which are left alone; the
 * payload is read once. Stores the partial sum of segment i in sums[i], and returns how many segments there
 * are: `size` divided by `segment_size`, rounded up; none where either is 0. `stride` is room + segment_size or
 * more. The two must not overlap. gso.h writes the headers too. */
ONESUM_API size_t onesum_segments(void *dst, size_t stride, size_t room, const void *payload, size_t size,
                                  size_t segment_size, uint32_t *sums);

/* ---- Many at once ------------------------------------------------------------------------------------------
 */

/* Stores in checks[i], for each of the `count` buffers of `list`, the checksum of its bytes added to the
 * partial sum sums[i], such as that of a pseudo-header: onesum_fold(onesum_partial(data, size, sums[i])).
 * `sums` may be NULL: all 0. */
ONESUM_API void onesum_batch(const struct onesum_buffer *list, size_t count, const uint32_t *sums,
                             uint16_t *checks);

/* Verifies `count` IPv4 headers, the first of them at `headers` and each `stride` bytes after the one before
 * it: stores in results[i] what onesum_ipv4_header() returns for the i-th, of as many words as its IHL says (0
 * where its checksum is right), and returns for how many that is not 0. An IHL below 5 is no header's: 0xffff.
 * Reads 20 bytes of each, and those that a greater IHL counts, and nothing between them. `results` may be NULL.
 */
ONESUM_API size_t onesum_ipv4_headers(const void *headers, size_t stride, size_t count, uint16_t *results);

/* Stores the right checksum in each of such headers, whatever was there; those with an IHL below 5 stay as they
 * are. */
ONESUM_API void onesum_ipv4_headers_fill(void *headers, size_t stride, size_t count);

/* The same two for headers anywhere, the i-th at headers[i]. */
ONESUM_API size_t onesum_ipv4_headers_list(const void *const *headers, size_t count, uint16_t *results);
ONESUM_API void onesum_ipv4_headers_fill_list(void *const *headers, size_t count);

/* ---- Implementations
 * ----------------------------------------------------------------------------------------- */

/* An implementation is chosen when the library is loaded: the best one for this CPU, or the one that the
 * environment variable ONESUM_FORCE_IMPLEMENTATION names (ignored in set-user-ID programs). A forced name that
 * is unknown or that this CPU cannot run leaves the automatic choice. */

/* The name of the implementation in use. A static string. */
ONESUM_API const char *onesum_implementation(void);

/* What there is to know of an implementation. */
struct onesum_implementation_info {
    const char *name;  /* a static string */
    const char *needs; /* the CPU features it needs, such as "avx2|bmi2"; "" for none */
    int supported;     /* 1 if this CPU has them */
    int active;        /* 1 for the one in use */
};

/* Lists the implementations built for this architecture, best first, into at most `capacity` entries; returns
 * how many there are. `list` may be NULL with capacity 0. */
ONESUM_API size_t onesum_implementations(struct onesum_implementation_info *list, size_t capacity);

enum {
    ONESUM_UNKNOWN = -1,     /* no implementation of this name on this architecture */
    ONESUM_UNSUPPORTED = -2, /* this CPU cannot run it */

    ONESUM_FORCED_NONE = 0,       /* the variable is not set, or empty */
    ONESUM_FORCED_ACTIVE = 1,     /* it was followed */
    ONESUM_FORCED_UNKNOWN = 2,    /* its name is unknown: the automatic choice stands */
    ONESUM_FORCED_UNSUPPORTED = 3 /* this CPU cannot run it: the automatic choice stands */
};

/* Uses the implementation `name` from now on, in all threads; NULL goes back to the automatic choice. Returns
 * 0, or ONESUM_UNKNOWN or ONESUM_UNSUPPORTED and changes nothing. Meant for tests and measurements. */
ONESUM_API int onesum_select(const char *name);

/* What became of ONESUM_FORCE_IMPLEMENTATION when the library was loaded: ONESUM_FORCED_... */
ONESUM_API int onesum_forced_status(void);

/* Holds every implementation that this CPU can run against the definition, in some milliseconds. Returns NULL,
 * or the name of the first that is wrong (a static string). */
ONESUM_API const char *onesum_selftest(void);

/* The library's version, such as "0.1.0"; the ONESUM_VERSION_ macros are those of the header. */
ONESUM_API const char *onesum_version(void);

#ifdef __cplusplus
}
#endif

#endif
