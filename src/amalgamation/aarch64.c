/* The kernel of arm64 for the amalgamation. SPDX-License-Identifier: MIT */
#if defined(__AARCH64EL__) && defined(__GNUC__)
#define ONESUM_AARCH64

#include <arm_neon.h>

/* One vector as four words of 32 bits, added to 64-bit lanes: to one sum in pairs, or to two by halves. Many
 * cores do the first in one pipe only and the second in all, so both are in a turn. */
#define ONESUM_VECTOR_AT(i)                               \
    const uint8x16_t bytes = vld1q_u8(src + 16 * (i));    \
    const uint32x4_t words = vreinterpretq_u32_u8(bytes); \
    if (copying) vst1q_u8(dst + 16 * (i), bytes)
#define ONESUM_PAIRS(i, sum)           \
    {                                  \
        ONESUM_VECTOR_AT(i);           \
        sum = vpadalq_u32(sum, words); \
    }
#define ONESUM_HALVES(i, low, high)                \
    {                                              \
        ONESUM_VECTOR_AT(i);                       \
        low = vaddw_u32(low, vget_low_u32(words)); \
        high = vaddw_high_u32(high, words);        \
    }

/* The sum of `size` bytes, a multiple of 16 and at most 2^30, and a copy if asked for. Exact: at most 2^28
 * words below 2^32. */
ONESUM_ALWAYS_INLINE uint64_t neon_vectors(const unsigned char *src, unsigned char *dst, size_t size,
                                           int copying) {
    /* As many that no addition waits for the one before it in the same sum. */
    uint64x2_t a = vdupq_n_u64(0), b = a, c = a, d = a, e = a, low0 = a, high0 = a, low1 = a, high1 = a;
    for (; size >= 128; size -= 128, src += 128) {
        ONESUM_PAIRS(0, a)
        ONESUM_HALVES(1, low0, high0)
        ONESUM_PAIRS(2, b)
        ONESUM_PAIRS(3, c)
        ONESUM_HALVES(4, low1, high1)
        ONESUM_PAIRS(5, d)
        ONESUM_PAIRS(6, e)
        ONESUM_HALVES(7, low0, high0)
        if (copying) dst += 128;
    }
    for (; size != 0; size -= 16, src += 16) {
        ONESUM_PAIRS(0, b)
        if (copying) dst += 16;
    }
    a = vaddq_u64(vaddq_u64(a, b), vaddq_u64(c, vaddq_u64(d, e)));
    return vaddvq_u64(vaddq_u64(a, vaddq_u64(vaddq_u64(low0, high0), vaddq_u64(low1, high1))));
}

ONESUM_ALWAYS_INLINE uint32_t neon_all(const unsigned char *src, unsigned char *dst, size_t size, uint32_t seed,
                                       int copying) {
    while (size >= 64) {
        const size_t now = onesum_smaller(size, (size_t)1 << 30) & ~(size_t)15;
        seed = onesum_fold64(seed + neon_vectors(src, dst, now, copying)); /* below 2^61 */
        src += now;
        if (copying) dst += now;
        size -= now;
    }
    return copying ? onesum_copy_generic(dst, src, size, seed) : onesum_sum_generic(src, size, seed);
}

static uint32_t onesum_sum_neon(const void *data, size_t size, uint32_t seed) {
    return neon_all((const unsigned char *)data, NULL, size, seed, 0);
}

static uint32_t onesum_copy_neon(void *dst, const void *src, size_t size, uint32_t seed) {
    return neon_all((const unsigned char *)src, (unsigned char *)dst, size, seed, 1);
}

#endif
