/* What the kernel's csum-partial_64.c needs of its surroundings, outside the kernel. SPDX-License-Identifier:
 * MIT */
#pragma once

#include <stdint.h>
#include <string.h>

#define __force
#define __user
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define EXPORT_SYMBOL(name) _Static_assert(sizeof(&name), "a symbol")

typedef uint16_t u16, __sum16;
typedef uint32_t u32, __wsum;
typedef uint64_t u64;

static inline u64 ror64(u64 word, unsigned count) { return word >> (count & 63) | word << (-count & 63); }
static inline u32 ror32(u32 word, unsigned count) { return word >> (count & 31) | word << (-count & 31); }

static inline unsigned add32_with_carry(unsigned a, unsigned b) { return a + b + (a + b < a); }

static inline __sum16 csum_fold(__wsum sum) {
    sum = (sum & 0xffff) + (sum >> 16);
    return (__sum16) ~(sum + (sum >> 16));
}

/* 8 bytes, of which the first 1 to 7 matter. In the kernel a fault past a page's end reads as zero. */
static inline unsigned long load_unaligned_zeropad(const void *at) {
    unsigned long word;
    memcpy(&word, at, sizeof word);
    return word;
}
