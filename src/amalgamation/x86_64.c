/* The kernels of x86-64 for the amalgamation: adc, avx2, avx512 and avx512_vnni. SPDX-License-Identifier: MIT
 */
#if defined(__x86_64__) && defined(__GNUC__) && (defined(__LP64__) || defined(_WIN64))
#define ONESUM_X86_64

/* ---- adc: four chains of add-with-carry
 * ------------------------------------------------------------------------
 *
 * 2^64 is congruent to 1 modulo 0xffff, so a carry out of 64 bits may be added again to any of the sums. Of the
 * last 0 to 127 bytes, no branch depends on the size: each part of 64, 32, 16, 8, 4, 2 and 1 bytes is summed,
 * from the buffer where the size has its bit and from a line of zeros where it has not. */

static const unsigned char zeros[128] __attribute__((aligned(64))) = {0};

/* `part` is where the part of `bytes` bytes lies, behind the larger ones and before the smaller ones and `end`,
 * or `absent` where there is none. By hand, because a compiler may make a branch of it. */
#define ONESUM_PART(part, bytes, size, end, absent) \
    part = (end) - ((size) & (2 * (bytes)-1));      \
    __asm__("testb %2, %b1\n\tcmovzq %3, %0" : "+r"(part) : "q"(size), "i"(bytes), "r"(absent) : "cc")

#define ONESUM_ADD_4(at, sum)                                                  \
    "addq " #at "(%[src]), %[" #sum "]\n\tadcq " #at "+8(%[src]), %[" #sum     \
    "]\n\t"                                                                    \
    "adcq " #at "+16(%[src]), %[" #sum "]\n\tadcq " #at "+24(%[src]), %[" #sum \
    "]\n\t"                                                                    \
    "adcq $0, %[carries]\n\t"

ONESUM_ALWAYS_INLINE uint64_t load16(const void *at) {
    uint16_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The sum of the last `size` modulo 64 bytes before `end`, and of `sum`. */
ONESUM_ALWAYS_INLINE uint64_t sum_parts(const unsigned char *end, size_t size, uint64_t sum) {
    const unsigned char *part1, *part2, *part4, *part8, *part16, *part32;
    uint64_t small;
    ONESUM_PART(part1, 1, size, end, zeros);
    ONESUM_PART(part2, 2, size, end, zeros);
    ONESUM_PART(part4, 4, size, end, zeros);
    ONESUM_PART(part8, 8, size, end, zeros);
    ONESUM_PART(part16, 16, size, end, zeros);
    ONESUM_PART(part32, 32, size, end, zeros);
    small = *part1 + load16(part2) + onesum_load32(part4); /* below 2^33 */
    __asm__(
        "addq %[small], %[sum]\n\t"
        "adcq (%[part8]), %[sum]\n\t"
        "adcq (%[part16]), %[sum]\n\t"
        "adcq 8(%[part16]), %[sum]\n\t"
        "adcq (%[part32]), %[sum]\n\t"
        "adcq 8(%[part32]), %[sum]\n\t"
        "adcq 16(%[part32]), %[sum]\n\t"
        "adcq 24(%[part32]), %[sum]\n\t"
        "adcq $0, %[sum]"
        : [sum] "+&r"(sum)
        : [small] "r"(small), [part8] "r"(part8), [part16] "r"(part16), [part32] "r"(part32)
        : "cc", "memory");
    return sum;
}

/* Apart, here and below, because a function that needs many registers saves them: short sums would pay for it.
 */
#define ONESUM_APART __attribute__((noinline)) static
/* A short sum is a few lines of code, and each one more that it touches takes a cycle. */
#define ONESUM_ROW __attribute__((aligned(64))) static uint32_t

ONESUM_APART uint32_t sum_long(const unsigned char *src, size_t size, uint32_t seed) {
    const unsigned char *const end = src + size, *part64;
    uint64_t sum = seed, second = 0, third = 0, fourth = 0, carries = 0;
    size_t turns = size / 128;
    if (turns != 0) {
        __asm__(
            ".p2align 6\n"
            "1:\n\t" ONESUM_ADD_4(0, sum) ONESUM_ADD_4(32, second) ONESUM_ADD_4(64, third) ONESUM_ADD_4(96, fourth)
            "subq $-128, %[src]\n\t"
            "subq $1, %[turns]\n\t"
            "jnz 1b"
            : [src] "+r"(src), [turns] "+r"(turns), [sum] "+r"(sum), [second] "+r"(second), [third] "+r"(third),
              [fourth] "+r"(fourth), [carries] "+r"(carries)
            :
            : "cc", "memory");
    }
    ONESUM_PART(part64, 64, size, end, zeros);
    /* No carry is left over in the end: a sum which carries is below the largest number. */
    __asm__(ONESUM_ADD_4(0, second) ONESUM_ADD_4(32, third)
            "addq %[second], %[sum]\n\t"
            "adcq %[third], %[sum]\n\t"
            "adcq %[fourth], %[sum]\n\t"
            "adcq %[carries], %[sum]\n\t"
            "adcq $0, %[sum]"
            : [sum] "+&r"(sum), [second] "+&r"(second), [third] "+&r"(third), [carries] "+&r"(carries)
            : [src] "r"(part64), [fourth] "r"(fourth)
            : "cc", "memory");
    return onesum_fold64(sum_parts(end, size, sum));
}

ONESUM_ROW onesum_sum_adc(const void *data, size_t size, uint32_t seed) {
    const unsigned char *const src = (const unsigned char *)data;
    if (size >= 64) return sum_long(src, size, seed);
    if (size == 0) return seed; /* to NULL, not even 0 may be added */
    return onesum_fold64(sum_parts(src + size, size, seed));
}

#define ONESUM_MOVE_2(at)                     \
    "movq " #at "(%[src]), %[a]\n\tmovq " #at \
    "+8(%[src]), %[b]\n\t"                    \
    "movq %[a], " #at "(%[dst])\n\tmovq %[b], " #at "+8(%[dst])\n\t"
#define ONESUM_COPY_4(at, sum)                                                    \
    ONESUM_MOVE_2(at)                                                             \
    "addq %[a], %[" #sum "]\n\tadcq %[b], %[" #sum                                \
    "]\n\t" ONESUM_MOVE_2(at + 16) "adcq %[a], %[" #sum "]\n\tadcq %[b], %[" #sum \
                                   "]\n\tadcq $0, %[carries]\n\t"

/* Copies a part: an absent one from the zeros to where nobody reads. */
#define ONESUM_COPY_PART(bytes)                     \
    ONESUM_PART(from, bytes, size, end, zeros);     \
    ONESUM_PART(to, bytes, size, dst_end, nowhere); \
    memcpy(to, from, bytes)

/* Copies the last `size` bytes, at most 64, before the ends: from 16 on in pieces of 16, which may overlap. */
ONESUM_ALWAYS_INLINE void copy_last(unsigned char *dst_end, const unsigned char *end, size_t size) {
    if (size >= 16) {
        const unsigned char *const src = end - size;
        unsigned char *const dst = dst_end - size;
        const size_t last = size - 16, second = onesum_smaller(16, last), third = onesum_smaller(32, last);
        memcpy(dst, src, 16);
        memcpy(dst + second, src + second, 16);
        memcpy(dst + third, src + third, 16);
        memcpy(dst + last, src + last, 16);
    } else {
        unsigned char absent[8], *const nowhere = absent, *to;
        const unsigned char *from;
        ONESUM_COPY_PART(8);
        ONESUM_COPY_PART(4);
        ONESUM_COPY_PART(2);
        ONESUM_COPY_PART(1);
    }
}

ONESUM_APART uint32_t copy_long(unsigned char *dst, const unsigned char *src, size_t size, uint32_t seed) {
    const unsigned char *const end = src + size;
    uint64_t sum = seed, second = 0, carries = 0, a, b;
    size_t turns = size / 64;
    copy_last(dst + size, end, 64);
    __asm__(
        ".p2align 6\n"
        "1:\n\t" ONESUM_COPY_4(0, sum) ONESUM_COPY_4(32, second)
        "addq $64, %[src]\n\t"
        "addq $64, %[dst]\n\t"
        "subq $1, %[turns]\n\t"
        "jnz 1b"
        : [src] "+r"(src), [dst] "+r"(dst), [turns] "+r"(turns), [sum] "+r"(sum), [second] "+r"(second),
          [carries] "+r"(carries), [a] "=&r"(a), [b] "=&r"(b)
        :
        : "cc", "memory");
    return onesum_fold64(sum_parts(end, size, onesum_add64(sum, second, carries)));
}

ONESUM_ROW onesum_copy_adc(void *to, const void *from, size_t size, uint32_t seed) {
    const unsigned char *const src = (const unsigned char *)from;
    unsigned char *const dst = (unsigned char *)to;
    if (size >= 64) return copy_long(dst, src, size, seed);
    if (size == 0) return seed;
    copy_last(dst + size, src + size, size);
    return onesum_fold64(sum_parts(src + size, size, seed));
}

/* ---- Vectors
 * -------------------------------------------------------------------------------------------------------
 *
 * gcc for Windows does not align the stack for them, and gcc before 8 does not know all of them. */
#if defined(__clang__) || (!defined(_WIN32) && __GNUC__ >= 8)
#define ONESUM_X86_64_VECTORS

#if !defined(__clang__)
/* gcc 12 warns of the undefined vectors that its own header begins some results with. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/* __builtin_cpu_supports() knows whether the operating system saves the registers too. */
static int runs_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
}
static int runs_avx512(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("bmi2") != 0;
}
static int runs_avx512_vnni(void) { return runs_avx512() && __builtin_cpu_supports("avx512vnni") != 0; }

/* What comes next in the code, so that a jump is not taken for what is short. */
#define ONESUM_MOSTLY(condition) __builtin_expect(condition, 1)

/* The sum of two 64-bit lanes, modulo 2^64. */
static uint64_t sum_two_lanes(__m128i vector) {
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(vector, _mm_unpackhi_epi64(vector, vector)));
}

/* A masked load is slow where lanes that are masked off lie in a page that is not there. 1 if of 64 bytes some
 * might. */
ONESUM_ALWAYS_INLINE int near_page_end(const unsigned char *at) { return ((uintptr_t)at + 64) % 4096 < 64; }

/* What is longer than a kernel takes at once. */
#define ONESUM_VECTOR_BLOCK ((size_t)1 << 19)

ONESUM_APART uint32_t sum_in_blocks(uint32_t (*sum)(const void *, size_t, uint32_t), const unsigned char *src,
                                    size_t size, uint32_t seed) {
    for (; size > ONESUM_VECTOR_BLOCK; size -= ONESUM_VECTOR_BLOCK, src += ONESUM_VECTOR_BLOCK)
        seed = sum(src, ONESUM_VECTOR_BLOCK, seed);
    return sum(src, size, seed);
}

ONESUM_APART uint32_t copy_in_blocks(uint32_t (*copy)(unsigned char *, const unsigned char *, size_t, uint32_t),
                                     unsigned char *dst, const unsigned char *src, size_t size, uint32_t seed) {
    for (; size > ONESUM_VECTOR_BLOCK; size -= ONESUM_VECTOR_BLOCK) {
        seed = copy(dst, src, ONESUM_VECTOR_BLOCK, seed);
        src += ONESUM_VECTOR_BLOCK;
        dst += ONESUM_VECTOR_BLOCK;
    }
    return copy(dst, src, size, seed);
}

#define ONESUM_AVX2 __attribute__((target("avx2")))
#define ONESUM_AVX512 __attribute__((target("avx512f,avx512bw,bmi2")))

/* The sums of a vector's lanes of 64 bits, modulo 2^64, and of 32 bits. */
ONESUM_AVX2 ONESUM_ALWAYS_INLINE uint64_t onesum_longs_avx2(__m256i vector) {
    return sum_two_lanes(_mm_add_epi64(_mm256_castsi256_si128(vector), _mm256_extracti128_si256(vector, 1)));
}
ONESUM_AVX2 ONESUM_ALWAYS_INLINE uint64_t onesum_ints_avx2(__m256i vector) {
    const __m256i low_half = _mm256_set1_epi64x(0xffffffff);
    return onesum_longs_avx2(
        _mm256_add_epi64(_mm256_and_si256(vector, low_half), _mm256_srli_epi64(vector, 32)));
}
ONESUM_AVX512 ONESUM_ALWAYS_INLINE uint64_t onesum_longs_avx512(__m512i vector) {
    const __m256i half = _mm256_add_epi64(_mm512_castsi512_si256(vector), _mm512_extracti64x4_epi64(vector, 1));
    return sum_two_lanes(_mm_add_epi64(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)));
}
ONESUM_AVX512 ONESUM_ALWAYS_INLINE uint64_t onesum_ints_avx512(__m512i vector) {
    const __m512i low_half = _mm512_set1_epi64(0xffffffff);
    return onesum_longs_avx512(
        _mm512_add_epi64(_mm512_and_si512(vector, low_half), _mm512_srli_epi64(vector, 32)));
}

/* The mask of the first `count` bytes of 64. */
ONESUM_AVX512 ONESUM_ALWAYS_INLINE __mmask64 first_bytes(size_t count) {
    return _bzhi_u64(~(uint64_t)0, (unsigned)count);
}

/* The sum of 1 to 64 bytes: words of 32 bits by two masked loads, and the rest. */
ONESUM_AVX2 ONESUM_ALWAYS_INLINE uint32_t onesum_short_avx2(const unsigned char *src, size_t size,
                                                            uint32_t seed) {
    const __m256i count = _mm256_set1_epi32((int)(size / 4)), low_half = _mm256_set1_epi64x(0xffffffff);
    const unsigned char *const end = src + size, *part1, *part2;
    __m256i low, high;
    if (near_page_end(src)) return onesum_sum_adc(src, size, seed);
    low = _mm256_maskload_epi32((const int *)(const void *)src,
                                _mm256_cmpgt_epi32(count, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
    high = _mm256_maskload_epi32((const int *)(const void *)(src + 32),
                                 _mm256_cmpgt_epi32(count, _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15)));
    low = _mm256_add_epi64(_mm256_add_epi64(_mm256_and_si256(low, low_half), _mm256_srli_epi64(low, 32)),
                           _mm256_add_epi64(_mm256_and_si256(high, low_half), _mm256_srli_epi64(high, 32)));
    ONESUM_PART(part1, 1, size, end, zeros);
    ONESUM_PART(part2, 2, size, end, zeros);
    return onesum_fold64(
        sum_two_lanes(_mm_add_epi64(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1))) + *part1 +
        load16(part2) + seed);
}
/* The same by one. */
ONESUM_AVX512 ONESUM_ALWAYS_INLINE uint32_t onesum_short_avx512(const unsigned char *src, size_t size,
                                                                uint32_t seed) {
    if (near_page_end(src)) return onesum_sum_adc(src, size, seed);
    return onesum_fold64(seed +
                         onesum_ints_avx512(_mm512_maskz_loadu_epi8(first_bytes(size), (const void *)src)));
}
/* Copies 1 to 15 bytes, too. A load soon after a masked store waits for it, but of so few bytes there is little
 * to read. */
ONESUM_AVX512 ONESUM_ALWAYS_INLINE uint32_t onesum_copy_tiny_avx512(unsigned char *dst,
                                                                    const unsigned char *src, size_t size,
                                                                    uint32_t seed) {
    __m512i vector;
    if (size == 0 || near_page_end(src) || near_page_end(dst)) return onesum_copy_adc(dst, src, size, seed);
    vector = _mm512_maskz_loadu_epi8(first_bytes(size), (const void *)src);
    _mm512_mask_storeu_epi8((void *)dst, first_bytes(size), vector);
    return onesum_fold64(seed + onesum_ints_avx512(vector));
}

#define ONESUM_16(byte) \
    byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte, byte
/* From n on, 32 bytes of which just the last n are not zero. */
static const unsigned char window[64]
    __attribute__((aligned(64))) = {ONESUM_16(0), ONESUM_16(0), ONESUM_16(0xff), ONESUM_16(0xff)};

/* Keeps the compiler from another order of additions, for which it would need more registers. */
#define ONESUM_IN_ORDER(sum, value) \
    sum = value;                    \
    __asm__("" : "+v"(sum))

#define ONESUM_TARGET ONESUM_AVX2
#define ONESUM_WIDTH 32
#define ONESUM_VECTOR __m256i
#define ONESUM_DO(what) _mm256_##what
#define ONESUM_ZERO _mm256_setzero_si256()
#define ONESUM_LOAD_VECTOR(at) _mm256_loadu_si256((const __m256i *)(at))
#define ONESUM_STORE_VECTOR(at, vector) _mm256_storeu_si256((__m256i *)(at), vector)
#define ONESUM_LAST_BYTES(at, count) \
    _mm256_and_si256(ONESUM_LOAD_VECTOR(at), ONESUM_LOAD_VECTOR(window + (count)))
#define ONESUM_XOR _mm256_xor_si256
#define ONESUM_LONGS onesum_longs_avx2
#define ONESUM_INTS onesum_ints_avx2
#define ONESUM_SHORT onesum_short_avx2
#define ONESUM_COPY_TINY onesum_copy_adc
#define ONESUM_ADD_PRODUCTS(sum, words) \
    ONESUM_IN_ORDER(sum, _mm256_add_epi32(sum, _mm256_madd_epi16(words, ones)))
#define ONESUM_NAME(what) onesum_##what##_avx2
#include "amalgamation/vectors.inc"

#undef ONESUM_TARGET
#undef ONESUM_WIDTH
#undef ONESUM_VECTOR
#undef ONESUM_DO
#undef ONESUM_ZERO
#undef ONESUM_LOAD_VECTOR
#undef ONESUM_STORE_VECTOR
#undef ONESUM_LAST_BYTES
#undef ONESUM_XOR
#undef ONESUM_LONGS
#undef ONESUM_INTS
#undef ONESUM_SHORT
#undef ONESUM_COPY_TINY
#define ONESUM_TARGET ONESUM_AVX512
#define ONESUM_WIDTH 64
#define ONESUM_VECTOR __m512i
#define ONESUM_DO(what) _mm512_##what
#define ONESUM_ZERO _mm512_setzero_si512()
#define ONESUM_LOAD_VECTOR(at) _mm512_loadu_si512((const void *)(at))
#define ONESUM_STORE_VECTOR(at, vector) _mm512_storeu_si512((void *)(at), vector)
#define ONESUM_LAST_BYTES(at, count) _mm512_maskz_loadu_epi8(~first_bytes(64 - (count)), (const void *)(at))
#define ONESUM_XOR _mm512_xor_si512
#define ONESUM_LONGS onesum_longs_avx512
#define ONESUM_INTS onesum_ints_avx512
#define ONESUM_SHORT onesum_short_avx512
#define ONESUM_COPY_TINY onesum_copy_tiny_avx512
#define ONESUM_ADD_PRODUCTS(sum, words) \
    ONESUM_IN_ORDER(sum, _mm512_add_epi32(sum, _mm512_madd_epi16(words, ones)))
#define ONESUM_NAME(what) onesum_##what##_avx512
#include "amalgamation/vectors.inc"

#undef ONESUM_TARGET
#define ONESUM_TARGET __attribute__((target("avx512f,avx512bw,avx512vnni,bmi2")))
#if defined(__clang__)
#define ONESUM_ADD_PRODUCTS(sum, words) sum = _mm512_dpwssd_epi32(sum, words, ones)
#else
/* By hand, because gcc 12 copies the sums to and fro around its own name for the instruction. */
#define ONESUM_ADD_PRODUCTS(sum, words) __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(words), "v"(ones))
#endif
#define ONESUM_NAME(what) onesum_##what##_avx512_vnni
#include "amalgamation/vectors.inc"

#endif

#endif
