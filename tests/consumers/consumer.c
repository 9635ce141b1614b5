/* A stranger's program in C: prints a checksum and the version. SPDX-License-Identifier: MIT */
#if __has_include(<onesum/onesum.h>)
#include <onesum/onesum.h>
#else
#include "onesum.h" /* the amalgamation */
#endif
#include <stdio.h>

int main(void) {
    /* RFC 1071 section 3. */
    const unsigned char bytes[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    const uint16_t check = onesum_checksum(bytes, sizeof bytes);
    unsigned char stored[2];
    memcpy(stored, &check, 2);
    printf("%02x%02x %s\n", stored[0], stored[1], onesum_version());
    return onesum_selftest() != NULL;
}
