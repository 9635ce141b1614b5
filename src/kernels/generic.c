/* Portable: any byte order, 32 or 64 bits. SPDX-License-Identifier: MIT */
#include "dispatch/calls.h"

/* A word of the source, as a number. Copying, it is stored as soon as it is loaded; summing alone, nothing is.
 */
ONESUM_ALWAYS_INLINE uint64_t take32(const unsigned char *src, unsigned char *dst, size_t at, int copying) {
    uint32_t word;
    memcpy(&word, src + at, sizeof word);
    if (copying) memcpy(dst + at, &word, sizeof word);
    return word;
}
ONESUM_ALWAYS_INLINE uint64_t take16(const unsigned char *src, unsigned char *dst, size_t at, int copying) {
    uint16_t word;
    memcpy(&word, src + at, sizeof word);
    if (copying) memcpy(dst + at, &word, sizeof word);
    return word;
}

#define ONESUM_BLOCK_SIZE ((size_t)1 << 30)

/* The exact sum of at most ONESUM_BLOCK_SIZE bytes as words of 32 bits and a tail: at most 2^28 words below
 * 2^32, so below 2^60. Two accumulators take a 64-bit word as its low and high half; they are independent
 * chains. */
ONESUM_ALWAYS_INLINE uint64_t sum_block(const unsigned char *src, unsigned char *dst, size_t size,
                                        int copying) {
    uint64_t even = 0, odd = 0;
    size_t at = 0;
    for (; size - at >= 32; at += 32) {
        size_t word;
        for (word = 0; word < 32; word += 8) {
            even += take32(src, dst, at + word, copying);
            odd += take32(src, dst, at + word + 4, copying);
        }
    }
    for (; size - at >= 4; at += 4) even += take32(src, dst, at, copying);
    if (size & 2) {
        odd += take16(src, dst, at, copying);
        at += 2;
    }
    if (size & 1) {
        const unsigned char last[2] = {src[at], 0};
        if (copying) dst[at] = src[at];
        odd += take16(last, NULL, 0, 0);
    }
    return even + odd;
}

ONESUM_ALWAYS_INLINE uint32_t sum_all(const unsigned char *src, unsigned char *dst, size_t size, uint32_t seed,
                                      int copying) {
    for (; size > ONESUM_BLOCK_SIZE; size -= ONESUM_BLOCK_SIZE) {
        seed = onesum_fold64(seed + sum_block(src, dst, ONESUM_BLOCK_SIZE, copying));
        src += ONESUM_BLOCK_SIZE;
        if (copying) dst += ONESUM_BLOCK_SIZE;
    }
    return onesum_fold64(seed + sum_block(src, dst, size, copying));
}

ONESUM_INTERNAL uint32_t onesum_sum_generic(const void *data, size_t size, uint32_t seed) {
    return sum_all((const unsigned char *)data, NULL, size, seed, 0);
}

ONESUM_INTERNAL uint32_t onesum_copy_generic(void *dst, const void *src, size_t size, uint32_t seed) {
    return sum_all((const unsigned char *)src, (unsigned char *)dst, size, seed, 1);
}
