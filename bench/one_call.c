/* One call, for bench/estimate to count its instructions. SPDX-License-Identifier: MIT
 *
 * usage: one_call FUNCTION SIZE; prints the sum folded to 16 bits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t onesum_sum_fused(const void *data, size_t size, uint32_t seed);
uint32_t onesum_copy_fused(void *dst, const void *src, size_t size, uint32_t seed);
uint32_t onesum_sum_neon(const void *data, size_t size, uint32_t seed);
uint32_t onesum_copy_neon(void *dst, const void *src, size_t size, uint32_t seed);
uint32_t one_chain(const void *data, size_t size, uint32_t seed);

static unsigned char from[8192], to[8192];

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const size_t size = strtoul(argv[2], NULL, 10);
    if (size > sizeof from) return 2;
    for (size_t i = 0; i < sizeof from; ++i) from[i] = (unsigned char)(i * 7 + i / 256);
    uint32_t sum;
    if (strcmp(argv[1], "sum fused") == 0) {
        sum = onesum_sum_fused(from, size, 1);
    } else if (strcmp(argv[1], "copy fused") == 0) {
        sum = onesum_copy_fused(to, from, size, 1);
    } else if (strcmp(argv[1], "sum neon") == 0) {
        sum = onesum_sum_neon(from, size, 1);
    } else if (strcmp(argv[1], "copy neon") == 0) {
        sum = onesum_copy_neon(to, from, size, 1);
    } else if (strcmp(argv[1], "two passes") == 0 && size >= 64) {
        memcpy(to, from, size);
        sum = one_chain(to, size, 1);
    } else {
        return 2;
    }
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    printf("%x\n", (unsigned)sum);
    return 0;
}
