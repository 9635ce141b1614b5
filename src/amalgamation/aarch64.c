/* The kernel of arm64 for the amalgamation. SPDX-License-Identifier: MIT */
#if defined(__AARCH64EL__) && defined(__GNUC__)
#define ONESUM_AARCH64

#include <arm_neon.h>

/* Whole turns of 128 bytes, at most 2^30 bytes in all, added as 32-bit words to 64-bit lanes, and copied if
 * asked for. Exact: at most 2^28 words below 2^32. */
ONESUM_ALWAYS_INLINE uint64_t neon_turns(const unsigned char *src, unsigned char *dst, size_t turns,
                                         int copying) {
    uint64x2_t sums[4] = {vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0)};
    for (; turns != 0; --turns, src += 128) {
        int i;
        for (i = 0; i < 8; ++i) {
            const uint8x16_t vector = vld1q_u8(src + i * 16);
            if (copying) vst1q_u8(dst + i * 16, vector);
            sums[i % 4] = vpadalq_u32(sums[i % 4], vreinterpretq_u32_u8(vector));
        }
        if (copying) dst += 128;
    }
    return vaddvq_u64(vaddq_u64(vaddq_u64(sums[0], sums[1]), vaddq_u64(sums[2], sums[3])));
}

ONESUM_ALWAYS_INLINE uint32_t neon_all(const unsigned char *src, unsigned char *dst, size_t size, uint32_t seed,
                                       int copying) {
    while (size >= 256) {
        const size_t now = onesum_smaller(size, (size_t)1 << 30) & ~(size_t)127;
        seed = onesum_fold64(seed + neon_turns(src, dst, now / 128, copying)); /* below 2^61 */
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
