// A payload cut into segments. SPDX-License-Identifier: MIT
#include <algorithm>

#include "dispatch/active.h"
#include "onesum/onesum.h"

extern "C" size_t onesum_segments(void *dst, size_t stride, size_t room, const void *payload, size_t size,
                                  size_t segment_size, uint32_t *sums) {
    if (segment_size == 0) return 0;
    const onesum::dispatch::Kernel *kernel = onesum::dispatch::resolved();
    char *to = static_cast<char *>(dst) + room;
    const char *from = static_cast<const char *>(payload);
    size_t count = 0;
    for (size_t done = 0; done != size; ++count) {
        const size_t now = std::min(size - done, segment_size);
        sums[count] = kernel->copy(to + count * stride, from + done, now, 0);
        done += now;
    }
    return count;
}
