/* What a paravirtual network driver asks of a checksum library: packets whose headers, options and payload lie
 * in memory of their own, the payload along a chain of memory descriptors that end at any byte. */
#include <onesum/onesum.h>
#include <onesum/packet.h>
#include <stdio.h>
#include <string.h>

/* Some bytes of a packet, and where it goes on. */
struct descriptor {
    const struct descriptor *next;
    unsigned char *bytes;
    size_t size;
};

/* Adds more bytes to a sum that has had an even number of them. */
static void accumulate(uint32_t *sum, const void *bytes, size_t size) {
    *sum = onesum_partial(bytes, size, *sum);
}

/* Does a computed checksum, of bytes without their own, agree with the one in the packet? (RFC 1624 section 5:
 * the complement of the one and the other sum to 0xffff, whichever of its two forms a zero has.) */
static int verify(uint16_t computed, uint16_t embedded) {
    uint32_t sum = (uint16_t)~computed;
    accumulate(&sum, &embedded, sizeof embedded);
    return onesum_fold(sum) == 0;
}

/* The IPv4 header without its checksum, its options in a second buffer. */
static uint16_t ipv4_header(const unsigned char *header, const unsigned char *options, size_t options_size) {
    uint32_t sum = 0;
    accumulate(&sum, header, 10);
    accumulate(&sum, header + 12, 8);
    accumulate(&sum, options, options_size);
    return onesum_fold(sum);
}

/* TCP or UDP over its pseudo-header: a header whose checksum is at `field`, options or none, and the first
 * `size` bytes along a chain. The state knows when a piece begins at an odd byte. */
static uint32_t transport(uint32_t pseudo, const unsigned char *header, size_t header_size, size_t field,
                          const unsigned char *options, size_t options_size, const struct descriptor *payload,
                          size_t size) {
    struct onesum_state state;
    onesum_init(&state, pseudo);
    onesum_update(&state, header, field);
    onesum_update(&state, header + field + 2, header_size - field - 2);
    onesum_update(&state, options, options_size);
    for (; payload && size != 0; payload = payload->next) {
        const size_t part = payload->size < size ? payload->size : size;
        onesum_update(&state, payload->bytes, part);
        size -= part;
    }
    return onesum_final(&state);
}

static uint16_t at(const unsigned char *bytes) { /* a checksum, as it lies in the packet */
    uint16_t check;
    memcpy(&check, bytes, 2);
    return check;
}

static int lies(uint16_t check, unsigned first, unsigned second) { /* are these its two bytes? */
    const unsigned char bytes[2] = {(unsigned char)first, (unsigned char)second};
    return check == at(bytes);
}

/* The pieces of a packet, its headers before its payload, as packet.h takes them. */
static size_t join(struct onesum_writable *list, size_t count, const struct descriptor *payload) {
    for (; payload; payload = payload->next) {
        list[count].data = payload->bytes;
        list[count++].size = payload->size;
    }
    return count;
}

static int received_tcp(void) {
    unsigned char ip[] = {0x46, 0, 0, 82, 0, 1, 0x40, 0, 128, 6, 0x79, 0x64, 192, 0, 2, 1, 198, 51, 100, 7};
    unsigned char ip_options[] = {0x94, 4, 0, 0}; /* router alert */
    unsigned char tcp[] = {0xc0, 0, 1, 0xbd, 0, 0, 0, 1, 0, 0, 0, 2, 0x70, 0x18, 4, 0, 0x38, 0x9e, 0, 0};
    unsigned char tcp_options[] = {2, 4, 5, 0xb4, 1, 3, 3, 8};
    unsigned char text[] = "frames from a guest, in pieces";
    const struct descriptor last = {NULL, text + 12, 18}, none = {&last, text, 0},
                            second = {&none, text + 5, 7};
    const struct descriptor first = {&second, text, 5};

    /* With the calls of a driver. */
    const uint16_t header = ipv4_header(ip, ip_options, sizeof ip_options);
    const uint32_t pseudo = onesum_pseudo_ipv4(ip + 12, ip + 16, 20 + 8 + 30, 6, 0);
    const uint16_t segment =
        onesum_fold(transport(pseudo, tcp, sizeof tcp, 16, tcp_options, sizeof tcp_options, &first, 30));
    int right = lies(header, 0x79, 0x64) && verify(header, at(ip + 10));
    right &= lies(segment, 0x38, 0x9e) && verify(segment, at(tcp + 16));

    /* With one call of packet.h, which finds the lengths by itself. */
    struct onesum_writable list[8] = {
        {ip, sizeof ip}, {ip_options, sizeof ip_options}, {tcp, sizeof tcp}, {tcp_options, sizeof tcp_options}};
    const size_t count = join(list, 4, &first);
    struct onesum_packet_result results[2];
    right &= onesum_packet_check_iov((const struct onesum_buffer *)list, count, ONESUM_LINK_IPV4, NULL, results,
                                     2) == 2;
    right &= results[0].protocol == ONESUM_PROTOCOL_IPV4 && results[0].verdict == ONESUM_VERDICT_GOOD;
    right &= results[1].protocol == ONESUM_PROTOCOL_TCP && results[1].verdict == ONESUM_VERDICT_GOOD;

    text[29] ^= 1;
    onesum_packet_check_iov((const struct onesum_buffer *)list, count, ONESUM_LINK_IPV4, NULL, results, 2);
    right &= results[0].verdict == ONESUM_VERDICT_GOOD && results[1].verdict == ONESUM_VERDICT_BAD;
    right &= lies(results[1].expected, 0x38, 0x9f);
    return right;
}

static int sent_udp(void) {
    unsigned char ip[40] = {0x60, 0, 0, 0, 0, 13, 17, 64, 0x20, 1, 0x0d, 0xb8};
    unsigned char udp[] = {0x14, 0xe9, 0x14, 0xe9, 0, 13, 0, 0};
    unsigned char text[] = {'o', 'd', 'd', 0x28, 0xa7};
    const struct descriptor last = {NULL, text + 1, 4}, first = {&last, text, 1};
    memcpy(ip + 24, ip + 8, 16);
    ip[23] = 1;
    ip[39] = 2;

    /* The sum of these bytes is 0xffff, its complement 0: which UDP stores as 0xffff, because 0 means none. */
    const uint32_t pseudo = onesum_pseudo_ipv6(ip + 8, ip + 24, 13, 17, 0);
    const uint32_t sum = transport(pseudo, udp, sizeof udp, 6, NULL, 0, &first, 5);
    int right = onesum_fold(sum) == 0 && onesum_fold_udp(sum) == 0xffff && verify(onesum_fold(sum), 0xffff);

    struct onesum_writable list[4] = {{ip, sizeof ip}, {udp, sizeof udp}};
    const size_t count = join(list, 2, &first);
    struct onesum_packet_result result;
    right &= onesum_packet_fill_iov(list, count, ONESUM_LINK_IPV6, NULL, &result, 1) == 1;
    right &= (result.flags & ONESUM_RESULT_FILLED) && udp[6] == 0xff && udp[7] == 0xff;
    return right;
}

int main(void) {
    const int tcp = received_tcp(), udp = sent_udp();
    printf("TCP over IPv4 with options, in seven pieces: %s\n", tcp ? "right" : "wrong");
    printf("UDP over IPv6 that sums to zero: %s\n", udp ? "right" : "wrong");
    return !(tcp && udp);
}
