/* Pieces that come over time. SPDX-License-Identifier: MIT */
#include "onesum/onesum.h"

void onesum_update(struct onesum_state *state, const void *data, size_t size) {
    /* After an odd number of bytes the sum is kept rotated, so that the next piece always begins on a word. The
     * piece is summed from 0: it need not wait for the sum of the one before. */
    state->sum = onesum_rotate(onesum_add(onesum_partial(data, size, 0), state->sum), size);
    state->odd ^= size & 1;
}
