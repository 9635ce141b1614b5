// Pieces in a list. SPDX-License-Identifier: MIT
#include <algorithm>

#include "onesum/onesum.h"

extern "C" uint32_t onesum_partial_iov(const onesum_buffer *list, size_t count, size_t offset, size_t size,
                                       uint32_t sum) {
    onesum_state state;
    onesum_init(&state, sum);
    for (size_t i = 0; i < count && size != 0; ++i) {
        const size_t skipped = std::min(offset, list[i].size);
        const size_t taken = std::min(size, list[i].size - skipped);
        if (taken != 0) onesum_update(&state, static_cast<const char *>(list[i].data) + skipped, taken);
        offset -= skipped;
        size -= taken;
    }
    return onesum_final(&state);
}
