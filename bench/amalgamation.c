/* The amalgamation, under names that the library beside it does not have. SPDX-License-Identifier: MIT */
#include "onesum.c"

#define ONESUM_EXPORTED __attribute__((visibility("default")))

ONESUM_EXPORTED uint32_t amalgamation_partial(const void *data, size_t size, uint32_t sum);
ONESUM_EXPORTED uint32_t amalgamation_copy(void *dst, const void *src, size_t size, uint32_t sum);

uint32_t amalgamation_partial(const void *data, size_t size, uint32_t sum) {
    return onesum_partial(data, size, sum);
}

uint32_t amalgamation_copy(void *dst, const void *src, size_t size, uint32_t sum) {
    return onesum_copy(dst, src, size, sum);
}
