/* Many buffers in one call. SPDX-License-Identifier: MIT */
#include "dispatch/calls.h"

void onesum_batch(const struct onesum_buffer *list, size_t count, const uint32_t *sums, uint16_t *checks) {
    const struct onesum_calls kernel = onesum_calls_in_use();
    size_t i;
    for (i = 0; i < count; ++i)
        checks[i] = onesum_fold(kernel.sum(list[i].data, list[i].size, sums ? sums[i] : 0));
}
