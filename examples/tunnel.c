/* A TCP segment inside VXLAN: the outer UDP checksum without reading the segment, and on the other side the
 * inner one from what the network card has summed. */
#include <onesum/onesum.h>
#include <stdio.h>
#include <string.h>

enum { outer_udp = 20, vxlan = 28, inner_ip = 36, inner_tcp = 56, end = 76 + 1000 };

int main(void) {
    /* Outer IPv4, outer UDP, VXLAN (without the inner Ethernet header, for brevity), inner IPv4, inner TCP. */
    static unsigned char packet[end] = {
        0x45, 0,    0x04, 0x34, 0,    1,    0,   0, 64, 17,
        0,    0,    192,  0,    2,    1,    192, 0, 2,  2, /* outer IPv4 */
        0xc0, 0,    0x12, 0xb5, 0x04, 0x20, 0,   0,        /* UDP to port 4789 */
        8,    0,    0,    0,    0,    0,    5,   0,        /* VXLAN, network 5 */
        0x45, 0,    0x04, 0x10, 0,    1,    0,   0, 64, 6,
        0,    0,    10,   0,    0,    1,    10,  0, 0,  2, /* inner IPv4 */
        0x30, 0x39, 0,    80,   0,    0,    0,   1, 0,  0,
        0,    1,    0x50, 0x18, 0xff, 0,    0,   0, 0,  0, /* TCP */
    };
    for (int i = 76; i < end; i++) packet[i] = (unsigned char)(i * 11);
    onesum_ipv4_headers_fill(packet, inner_ip, 2);

    /* The inner checksum is left to the network card: its field holds the sum of the pseudo-header. */
    const uint32_t inner_pseudo =
        onesum_pseudo_ipv4(packet + inner_ip + 12, packet + inner_ip + 16, end - inner_tcp, 6, 0);
    const uint16_t seed = (uint16_t)~onesum_fold(inner_pseudo);
    memcpy(packet + inner_tcp + 16, &seed, 2);

    /* The outer one is known now. */
    const uint32_t outer_pseudo = onesum_pseudo_ipv4(packet + 12, packet + 16, end - outer_udp, 17, 0);
    const uint16_t outer =
        onesum_fold_udp(onesum_outer(packet + outer_udp, inner_tcp - outer_udp, seed, outer_pseudo));
    memcpy(packet + outer_udp + 6, &outer, 2);

    /* What the card does on the way out. */
    const uint16_t inner = onesum_checksum(packet + inner_tcp, end - inner_tcp);
    memcpy(packet + inner_tcp + 16, &inner, 2);
    int right = onesum_fold(onesum_partial(packet + outer_udp, end - outer_udp, outer_pseudo)) == 0;
    printf("outer checksum: %s\n", right ? "right" : "wrong");

    /* The receiver's card has summed everything after its Ethernet header; each header is pulled off in turn.
     */
    uint32_t sum = onesum_partial(packet, end, 0);
    sum = onesum_pull(sum, packet, outer_udp);
    right &= onesum_fold(onesum_add(sum, outer_pseudo)) == 0;
    sum = onesum_pull(sum, packet + outer_udp, inner_ip - outer_udp);
    sum = onesum_pull(sum, packet + inner_ip, inner_tcp - inner_ip);
    right &= onesum_fold(onesum_add(sum, inner_pseudo)) == 0;
    printf("inner checksum: %s\n", right ? "right" : "wrong");
    return !right;
}
