/* A payload cut into segments. SPDX-License-Identifier: MIT */
#include "dispatch/calls.h"

size_t onesum_segments(void *dst, size_t stride, size_t room, const void *payload, size_t size,
                       size_t segment_size, uint32_t *sums) {
    uint32_t (*const copy)(void *, const void *, size_t, uint32_t) = onesum_segment_copy_in_use(size);
    char *to = (char *)dst + room;
    const char *from = (const char *)payload;
    size_t count = 0, done = 0;
    if (segment_size == 0) return 0;
    for (; done != size; ++count) {
        const size_t now = onesum_smaller(size - done, segment_size);
        sums[count] = copy(to + count * stride, from + done, now, 0);
        done += now;
    }
    return count;
}
