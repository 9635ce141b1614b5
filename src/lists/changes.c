/* Changes under a checksum. SPDX-License-Identifier: MIT */
#include "onesum/onesum.h"

/* The sum of some bytes. Those of ports and addresses are loaded here; a call would cost more than they do. */
static uint32_t sum_of_change(const void *data, size_t size) {
    const char *at = (const char *)data;
    uint16_t word;
    switch (size) {
        case 2:
            memcpy(&word, at, sizeof word);
            return word;
        case 4:
            return onesum_load32(at);
        case 16:
            return onesum_fold64(onesum_add64(onesum_load64(at), onesum_load64(at + 8), 0));
        default:
            return onesum_partial(at, size, 0);
    }
}

uint32_t onesum_diff(const struct onesum_change *changes, size_t count) {
    uint32_t diff = 0;
    size_t i;
    for (i = 0; i < count; ++i) {
        const struct onesum_change *change = &changes[i];
        const uint32_t one =
            onesum_sub(sum_of_change(change->to, change->size), sum_of_change(change->from, change->size));
        diff = onesum_block_add(diff, one, change->offset);
    }
    return diff;
}
