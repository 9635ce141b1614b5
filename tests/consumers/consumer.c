/* A stranger's program in C: prints a checksum and the version, checks and cuts a packet.
 * SPDX-License-Identifier: MIT */
#if __has_include(<onesum/onesum.h>)
#include <onesum/gso.h>
#include <onesum/packet.h>
#else
#include "onesum_packet.h" /* the amalgamation */
#endif
#include <stdio.h>

int main(void) {
    /* RFC 1071 section 3. */
    const unsigned char bytes[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    const uint16_t check = onesum_checksum(bytes, sizeof bytes);
    unsigned char stored[2];
    memcpy(stored, &check, 2);
    printf("%02x%02x %s\n", stored[0], stored[1], onesum_version());

    /* An IPv4 and a UDP header, and a payload cut in two. */
    static const unsigned char headers[28] = {0x45, 0, 0, 0, 0,  1, 0, 0, 64,   17,   0,    0,
                                              10,   0, 0, 1, 10, 0, 0, 2, 0x12, 0x34, 0x56, 0x78};
    const struct onesum_gso_packet whole = {headers, sizeof headers, 0, bytes, sizeof bytes, 5};
    unsigned char packets[2][64];
    if (onesum_gso(&whole, packets, sizeof packets[0]) != 2) return 1;
    for (size_t i = 0; i < 2; ++i) {
        struct onesum_packet_result results[2];
        if (onesum_packet_check(packets[i], onesum_gso_size(&whole, i), ONESUM_LINK_IPV4, NULL, results, 2) !=
                2 ||
            results[0].verdict != ONESUM_VERDICT_GOOD || results[1].verdict != ONESUM_VERDICT_GOOD)
            return 1;
    }
    return onesum_selftest() != NULL;
}
