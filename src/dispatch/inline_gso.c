/* The inline function of gso.h as a symbol of the library. SPDX-License-Identifier: MIT */
#define ONESUM_INLINE ONESUM_API inline
#include "onesum/gso.h"

extern inline size_t onesum_gso_size(const struct onesum_gso_packet *packet, size_t i);
