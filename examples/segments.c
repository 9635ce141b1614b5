/* A payload of 4000 bytes sent as TCP segments: cut into finished packets in one call, and, for who writes
 * headers of his own, into segments with their sums. */
#include <onesum/gso.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    /* IPv4 and TCP, PSH and ACK; lengths and checksums are written for each packet. */
    static const unsigned char headers[40] = {0x45, 0, 0,  0, 0x12, 0x34, 0x40, 0, 64, 6,  0, 0, 10, 0,
                                              0,    1, 10, 0, 0,    2,    0xc0, 0, 0,  80, 0, 0, 0,  1,
                                              0,    0, 0,  1, 0x50, 0x18, 0xff, 0, 0,  0,  0, 0};
    static unsigned char payload[4000], packets[3][1500];
    for (size_t i = 0; i < sizeof payload; i++) payload[i] = (unsigned char)(i * 7);

    const struct onesum_gso_packet large = {headers, sizeof headers, 0, payload, sizeof payload, 1460};
    size_t count = onesum_gso(&large, packets, sizeof packets[0]);
    int right = count == 3;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *packet = packets[i];
        const size_t size = onesum_gso_size(&large, i);
        const uint32_t pseudo = onesum_pseudo_ipv4(packet + 12, packet + 16, (uint32_t)(size - 20), 6, 0);
        const int good = onesum_ipv4_header(packet, 5) == 0 &&
                         onesum_fold(onesum_partial(packet + 20, size - 20, pseudo)) == 0;
        printf("packet %zu: %zu bytes, flags 0x%02x, checksums %s\n", i, size, packet[33],
               good ? "right" : "wrong");
        right &= good;
    }

    /* Only cut, copied behind 40 bytes of room and summed; the headers are yours. */
    uint32_t sums[3];
    count = onesum_segments(packets, sizeof packets[0], 40, payload, sizeof payload, 1460, sums);
    right &= count == 3 && onesum_fold(sums[2]) == onesum_checksum(payload + 2920, 1080);
    return !right;
}
