/* A sum and a copy against the definition. SPDX-License-Identifier: MIT */
#include "dispatch/calls.h"

enum { ONESUM_LONGEST = 4096, ONESUM_MARGIN = 64 };

/* RFC 1071 to the letter: 16-bit words one by one, each carry added where it arises. */
static uint32_t sum_by_definition(const unsigned char *data, size_t size, uint32_t seed) {
    uint32_t sum = (seed & 0xffff) + (seed >> 16);
    size_t i;
    sum = (sum & 0xffff) + (sum >> 16);
    for (i = 0; i < size; i += 2) {
        unsigned char pair[2] = {data[i], 0};
        uint16_t word;
        if (i + 1 < size) pair[1] = data[i + 1];
        memcpy(&word, pair, 2);
        sum += word;
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return sum;
}

/* A generator of test bytes (xorshift, Marsaglia 2003). */
static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

static int right_once(struct onesum_calls calls, const unsigned char *data, size_t size, uint32_t seed) {
    const uint16_t expected = onesum_fold(sum_by_definition(data, size, seed));
    unsigned char copy[ONESUM_LONGEST + 2 * ONESUM_MARGIN];
    const size_t at = ONESUM_MARGIN - size % 7;
    if (onesum_fold(calls.sum(data, size, seed)) != expected) return 0;
    memset(copy, 0x5a, size + 2 * ONESUM_MARGIN);
    if (onesum_fold(calls.copy(copy + at, data, size, seed)) != expected) return 0;
    return memcmp(copy + at, data, size) == 0 && copy[at - 1] == 0x5a && copy[at + size] == 0x5a;
}

ONESUM_INTERNAL int onesum_calls_are_right(struct onesum_calls calls) {
    unsigned char data[ONESUM_LONGEST + ONESUM_MARGIN];
    uint32_t state = 0x9e3779b9;
    int pattern;
    for (pattern = 0; pattern < 3; ++pattern) {
        size_t i;
        for (i = 0; i < sizeof data; ++i)
            data[i] = pattern == 0 ? 0x00 : pattern == 1 ? 0xff : (unsigned char)next_random(&state);
        /* Every size of a packet at one alignment that changes with it, then some long ones at every alignment.
         */
        for (i = 0; i <= 320; ++i)
            if (!right_once(calls, data + i % ONESUM_MARGIN, i, pattern == 0 ? 0 : next_random(&state)))
                return 0;
        for (i = 0; i < ONESUM_MARGIN; ++i)
            if (!right_once(calls, data + i, ONESUM_LONGEST - i, next_random(&state))) return 0;
    }
    return 1;
}
