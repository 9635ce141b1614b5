/* A payload cut into segments. SPDX-License-Identifier: MIT */
#include "dispatch/calls.h"

size_t onesum_segments(void *dst, size_t stride, size_t room, const void *payload, size_t size,
                       size_t segment_size, uint32_t *sums) {
    uint32_t (*const copy)(void *, const void *, size_t, uint32_t) = onesum_segment_copy_in_use(size);
    const char *from = (const char *)payload;
    char *to;
    size_t count = 0, done = 0;
    if (size == 0 || segment_size == 0) return 0;
    to = (char *)dst + room;
    do {
        const size_t now = onesum_smaller(size - done, segment_size);
        sums[count] = copy(to + count * stride, from + done, now, 0);
        done += now;
        ++count;
    } while (done != size);
    return count;
}
