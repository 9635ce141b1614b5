/* Pieces in lists. SPDX-License-Identifier: MIT */
#include "dispatch/calls.h"

/* The pieces of a list that are left: onesum_buffer or onesum_writable, which are laid out alike. */
struct onesum_pieces {
    const char *next;
    size_t count;
};

/* The first run of memory behind `offset` bytes of the pieces that are left; of size 0 where they end. Writable
 * only where its piece is. */
static struct onesum_writable next_run(struct onesum_pieces *left, size_t offset) {
    struct onesum_writable run = {NULL, 0};
    while (left->count != 0) {
        memcpy(&run, left->next, sizeof run);
        left->next += sizeof run;
        left->count--;
        if (offset < run.size) {
            run.data = (char *)run.data + offset;
            run.size -= offset;
            return run;
        }
        offset -= run.size;
    }
    run.size = 0;
    return run;
}

/* What is left of a run behind `size` bytes of it, or the next one. */
static struct onesum_writable past(struct onesum_pieces *left, struct onesum_writable run, size_t size) {
    if (size == run.size) return next_run(left, 0);
    run.data = (char *)run.data + size;
    run.size -= size;
    return run;
}

/* Adds the sum of a run to a total, with end-around carry. Each is summed from 0, so that no kernel waits for
 * the sum of the run before. `left` are the bytes from its first one to the end: odd where the run has to be
 * rotated, which is a shift of 32 bits in 64. */
static uint64_t add_run(uint64_t total, uint32_t run, size_t left) {
    const uint64_t rotated = (uint64_t)run << (8 * (left & 1));
    total += rotated;
    return total + (total < rotated);
}

uint32_t onesum_partial_iov(const struct onesum_buffer *list, size_t count, size_t offset, size_t size,
                            uint32_t sum) {
    const struct onesum_buffer *end;
    const unsigned odd = (unsigned)size & 1;
    uint32_t (*kernel)(const void *, size_t, uint32_t);
    uint64_t total;
    size_t first;
    if (count == 0) return sum; /* to NULL, C adds not even 0 */
    end = list + count;
    while (list != end && offset >= list->size) offset -= list++->size;
    if (list == end) return sum;
    kernel = onesum_calls_in_use().sum;
    /* Whether a run is at an odd offset is told by how much is left behind it, with one rotation too many where
     * that is odd at first: there the seed is rotated too, and all of it once more at the end, which makes 16
     * bits. */
    first = onesum_smaller(list->size - offset, size);
    total = add_run(onesum_rotate(sum, odd), kernel((const char *)list->data + offset, first, 0), size);
    size -= first;
    /* Whole pieces. The kernel's branches on a size wait for no more than the load of it. */
    while (++list != end && list->size <= size) {
        total = add_run(total, kernel(list->data, list->size, 0), size);
        size -= list->size;
    }
    if (list != end && size != 0) total = add_run(total, kernel(list->data, size, 0), size);
    return onesum_rotate(onesum_fold64(total), odd);
}

uint32_t onesum_copy_iov(const struct onesum_writable *dst, size_t dst_count, size_t dst_offset,
                         const struct onesum_buffer *src, size_t src_count, size_t src_offset, size_t size,
                         uint32_t sum) {
    const struct onesum_calls kernel = onesum_calls_in_use();
    struct onesum_pieces sources = {(const char *)src, src_count}, targets = {(const char *)dst, dst_count};
    struct onesum_writable from = next_run(&sources, src_offset), to = next_run(&targets, dst_offset);
    size_t done = 0;
    while (size != done && from.size != 0 && to.size != 0) {
        const size_t now = onesum_smaller(onesum_smaller(from.size, to.size), size - done);
        sum = onesum_block_add(sum, kernel.copy(to.data, from.data, now, 0), done);
        done += now;
        from = past(&sources, from, now);
        to = past(&targets, to, now);
    }
    return sum;
}
