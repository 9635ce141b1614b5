/* What the kernel's checksum headers need of its other ones, outside the kernel. SPDX-License-Identifier: MIT
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define __force
#define __user
#define __visible
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))

typedef uint8_t u8, __u8;
typedef uint16_t u16, __u16, __be16, __sum16;
typedef uint32_t u32, __u32, __be32, __wsum;

static inline u32 ror32(u32 word, unsigned count) { return word >> (count & 31) | word << (-count & 31); }
