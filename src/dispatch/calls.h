/* What the sources in C share. They are part of the amalgamation as well: common to C99 and C++, one name each
 * over all of these files. SPDX-License-Identifier: MIT */
#ifndef ONESUM_DISPATCH_CALLS_H
#define ONESUM_DISPATCH_CALLS_H

#include "onesum/onesum.h"

#if defined(__GNUC__)
#define ONESUM_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ONESUM_ALWAYS_INLINE static inline
#endif

/* What the files call of each other: hidden in the library, static in the amalgamation. */
#ifndef ONESUM_INTERNAL
#define ONESUM_INTERNAL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The two functions of a kernel, by the contract in kernel.h. */
struct onesum_calls {
    uint32_t (*sum)(const void *data, size_t size, uint32_t seed);
    uint32_t (*copy)(void *dst, const void *src, size_t size, uint32_t seed);
};

/* Those of the implementation in use. Who calls more than once asks once. */
ONESUM_INTERNAL struct onesum_calls onesum_calls_in_use(void);

/* The copy function for many copies one after the other, of the same size but for the last, and of `size` bytes
 * in all. It is the kernel's or one that keeps to the contract of it. */
ONESUM_INTERNAL uint32_t (*onesum_segment_copy_in_use(size_t size))(void *dst, const void *src, size_t now,
                                                                    uint32_t seed);

/* 1 if the sums and copies of many sizes, alignments and seeds are right by the definition, 0 if any is not. */
ONESUM_INTERNAL int onesum_calls_are_right(struct onesum_calls calls);

#ifdef __cplusplus
}
#endif

static inline size_t onesum_smaller(size_t a, size_t b) { return a < b ? a : b; }

#endif
