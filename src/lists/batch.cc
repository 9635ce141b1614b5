// Many buffers in one call. SPDX-License-Identifier: MIT
#include "dispatch/active.h"
#include "onesum/onesum.h"

extern "C" void onesum_batch(const onesum_buffer *list, size_t count, const uint32_t *sums, uint16_t *checks) {
    const onesum::dispatch::Kernel *kernel = onesum::dispatch::resolved();
    for (size_t i = 0; i < count; ++i)
        checks[i] = onesum_fold(kernel->sum(list[i].data, list[i].size, sums ? sums[i] : 0));
}
