/* A burst of packets: their IPv4 headers filled and verified, and many buffers summed, in one call each. */
#include <onesum/onesum.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    /* 32 packets, one in each slot of 2048 bytes, their IPv4 headers behind 14 bytes of Ethernet. */
    static unsigned char slots[32][2048];
    for (int i = 0; i < 32; i++) {
        const unsigned char header[20] = {0x45, 0,  0, 28, 0, (unsigned char)i, 0, 0, 64, 17, 0, 0, 10, 0, 0,
                                          1,    10, 0, 0,  2};
        memcpy(slots[i] + 14, header, sizeof header);
    }
    onesum_ipv4_headers_fill(slots[0] + 14, sizeof slots[0], 32);

    slots[7][14 + 8]--; /* a TTL that changed without its checksum */
    uint16_t results[32];
    const size_t wrong = onesum_ipv4_headers(slots[0] + 14, sizeof slots[0], 32, results);
    printf("%zu wrong header, the one of packet 7: %s\n", wrong, results[7] ? "yes" : "no");

    /* The same where the headers may be anywhere, and without telling which are wrong. */
    void *headers[32];
    for (int i = 0; i < 32; i++) headers[i] = slots[i] + 14;
    onesum_ipv4_headers_fill_list(headers, 32);
    const size_t left = onesum_ipv4_headers_list((const void *const *)headers, 32, NULL);

    /* The UDP datagrams behind them: headers of 8 bytes without payload, each with its pseudo-header. */
    struct onesum_buffer datagrams[32];
    uint32_t pseudo[32];
    uint16_t checks[32];
    for (int i = 0; i < 32; i++) {
        unsigned char *ip = slots[i] + 14;
        const unsigned char udp[8] = {0x12, 0x34, 0x56, 0x78, 0, 8, 0, 0};
        memcpy(ip + 20, udp, sizeof udp);
        datagrams[i].data = ip + 20;
        datagrams[i].size = 8;
        pseudo[i] = onesum_pseudo_ipv4(ip + 12, ip + 16, 8, 17, 0);
    }
    onesum_batch(datagrams, 32, pseudo, checks);
    for (int i = 0; i < 32; i++) memcpy(slots[i] + 14 + 26, &checks[i], 2);
    onesum_batch(datagrams, 32, pseudo, checks); /* 0 for each that is right */
    int right = wrong == 1 && results[7] != 0 && left == 0;
    for (int i = 0; i < 32; i++) right &= checks[i] == 0;
    puts(right ? "right" : "wrong");
    return !right;
}
