/* Compiled twice: with the kernel's headers where CALLS is real_calls, with onesum's where it is onesum_calls.
 * SPDX-License-Identifier: MIT */
#include "kernel_calls.h"

#ifdef REAL
#include <net/checksum.h>

/* What the headers only declare, by the definition: here the machine is little-endian. */
__wsum csum_partial(const void *buff, int len, __wsum sum) {
    const uint8_t *bytes = buff;
    uint64_t total = sum;
    for (int i = 0; i < len; ++i) total += (uint64_t)bytes[i] << (i % 2 ? 8 : 0);
    while (total >> 32) total = (uint32_t)total + (total >> 32);
    return (__wsum)total;
}
#else
#include <onesum/compat/linux.h>
#endif

const struct kernel_calls CALLS = {
    .add = csum_add,
    .sub = csum_sub,
    .add16 = csum16_add,
    .sub16 = csum16_sub,
    .fold = csum_fold,
    .unfold = csum_unfold,
    .negate = wsum_negate,
    .shift = csum_shift,
    .block_add = csum_block_add,
    .block_sub = csum_block_sub,
    .block_add_ext = csum_block_add_ext,
    .nofold = csum_tcpudp_nofold,
    .magic = csum_tcpudp_magic,
    .header = ip_fast_csum,
    .replace2 = csum_replace2,
    .replace4 = csum_replace4,
    .replace_by_diff = csum_replace_by_diff,
    .replace = csum_replace,
    .adjust = remcsum_adjust,
    .unadjust = remcsum_unadjust,
};
