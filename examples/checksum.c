/* The checksum of an IPv4 header, filled in and verified, and then kept right through a change of the TTL. */
#include <onesum/onesum.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned char header[20] = {0x45, 0, 0, 0x1e, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2};
    uint16_t check = onesum_ipv4_header(header, 5);
    memcpy(header + 10, &check, 2);
    printf("filled:   0x%02x%02x\n", header[10], header[11]);
    printf("verified: %s\n", onesum_ipv4_header(header, 5) == 0 ? "right" : "wrong");

    uint16_t from, to;
    memcpy(&from, header + 8, 2);
    header[8]--; /* one hop further */
    memcpy(&to, header + 8, 2);
    check = onesum_replace16(check, from, to);
    memcpy(header + 10, &check, 2);
    printf("updated:  0x%02x%02x, %s\n", header[10], header[11],
           onesum_ipv4_header(header, 5) == 0 ? "right" : "wrong");
    return 0;
}
