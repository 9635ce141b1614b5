/* Network address translation: an address and a port change, and two checksums follow without reading the
 * packet. */
#include <onesum/onesum.h>
#include <stdio.h>
#include <string.h>

static int good(const unsigned char *packet) { /* IPv4 without options, UDP */
    const uint32_t length = (uint32_t)(packet[24] << 8 | packet[25]);
    const uint32_t pseudo = onesum_pseudo_ipv4(packet + 12, packet + 16, length, 17, 0);
    return onesum_ipv4_header(packet, 5) == 0 && onesum_fold(onesum_partial(packet + 20, length, pseudo)) == 0;
}

int main(void) {
    unsigned char packet[29] = {0x45, 0,  0, 29, 0, 1,    0,    0,    64,   17, 0x66, 0xcd, 10,   0,  0,
                                1,    10, 0, 0,  2, 0x12, 0x34, 0x56, 0x78, 0,  9,    0x22, 0x2d, 'a'};
    const unsigned char address[4] = {192, 0, 2, 7}, port[2] = {0xc3, 0x50};
    int right = good(packet);

    /* The changes of the IPv4 header, and with the port those of UDP. */
    const struct onesum_change changes[] = {{packet + 12, address, 4, 0}, {packet + 20, port, 2, 0}};
    uint16_t ip, udp;
    memcpy(&ip, packet + 10, 2);
    memcpy(&udp, packet + 26, 2);
    ip = onesum_replace(ip, changes, 1);
    udp = onesum_replace_udp(udp, changes, 2); /* onesum_replace() for TCP */
    memcpy(packet + 10, &ip, 2);
    memcpy(packet + 26, &udp, 2);
    memcpy(packet + 12, address, 4);
    memcpy(packet + 20, port, 2);
    right &= good(packet);
    printf("translated: %s\n", right ? "right" : "wrong");

    /* A datagram sent without a checksum stays without one. */
    right &= onesum_replace_udp(0, changes, 2) == 0;

    /* From IPv4 to IPv6 (RFC 7915) the pseudo-header changes as a whole. */
    const unsigned char src6[16] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 2, 7};
    const unsigned char dst6[16] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 2};
    const uint32_t diff = onesum_sub(onesum_pseudo_ipv6(src6, dst6, 9, 17, 0),
                                     onesum_pseudo_ipv4(packet + 12, packet + 16, 9, 17, 0));
    udp = onesum_replace_diff_udp(udp, diff);
    memcpy(packet + 26, &udp, 2);
    right &= onesum_fold(onesum_partial(packet + 20, 9, onesum_pseudo_ipv6(src6, dst6, 9, 17, 0))) == 0;

    /* Another IPv6 address: onesum_replace128() for TCP, and for UDP a change of 16 bytes. */
    const unsigned char other[16] = {0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    const struct onesum_change rewritten = {src6, other, 16, 0};
    udp = onesum_replace_udp(udp, &rewritten, 1);
    memcpy(packet + 26, &udp, 2);
    right &= onesum_fold(onesum_partial(packet + 20, 9, onesum_pseudo_ipv6(other, dst6, 9, 17, 0))) == 0;
    printf("over IPv6:  %s\n", right ? "right" : "wrong");
    return !right;
}
