/* lwIP talks to itself over its loopback, by TCP and UDP, IPv4 and IPv6. SPDX-License-Identifier: MIT
 *
 * usage: loopback CAPTURE [EVERY]
 *
 * Writes each packet to CAPTURE (pcap, LINKTYPE_RAW). With EVERY, flips one bit of every so many packets that
 * carry data. Prints what arrived and what was refused; ends with 1 where bytes that arrived are wrong. Its
 * clock is its own, so that the packets are the same in each run.
 */
#include <lwip/init.h>
#include <lwip/ip.h>
#include <lwip/netif.h>
#include <lwip/stats.h>
#include <lwip/tcp.h>
#include <lwip/timeouts.h>
#include <lwip/udp.h>
#include <string.h>

enum { TRANSFER = 300001, DATAGRAMS = 400 };

static u32_t now;
u32_t sys_now(void) { return now; }

static u32_t noise(void) {
    static u32_t state = 1;
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

static u8_t payload[TRANSFER];

/* ---- Packets on their way ------------------------------------------------------------------------------- */

static FILE *capture;
static unsigned long every, carrying, packets, flipped;

void arrives(struct pbuf *packet) {
    u8_t bytes[2000];
    const u16_t size = pbuf_copy_partial(packet, bytes, sizeof bytes, 0);
    const u16_t ip = bytes[0] >> 4 == 4 ? 20 : 40;
    const u8_t protocol = bytes[0] >> 4 == 4 ? bytes[9] : bytes[6];
    const u32_t record[4] = {now / 1000, now % 1000 * 1000, size, size};
    ++packets;
    if (every && (protocol == IP_PROTO_TCP ? size > ip + 20 : protocol == IP_PROTO_UDP) &&
        ++carrying % every == 0) {
        /* Not where lwIP has other reasons to drop it: lengths, and UDP ports. */
        const u16_t first = protocol == IP_PROTO_UDP ? ip + 8 : ip == 20 ? 4 : ip;
        const u16_t at = (u16_t)(first + noise() % (u32_t)(size - first));
        bytes[at] ^= (u8_t)(1u << noise() % 8);
        pbuf_take_at(packet, bytes + at, 1, at);
        ++flipped;
    }
    fwrite(record, sizeof record, 1, capture);
    fwrite(bytes, size, 1, capture);
}

/* ---- TCP ------------------------------------------------------------------------------------------------ */

static u32_t sent, received;
static int closed, wrong;

static err_t serve(void *arg, struct tcp_pcb *pcb, struct pbuf *p, err_t err) {
    struct pbuf *q;
    (void)arg, (void)err;
    if (!p) {
        closed = 1;
        return tcp_close(pcb);
    }
    for (q = p; q; q = q->next) {
        if (received + q->len > TRANSFER || memcmp(q->payload, payload + received, q->len) != 0) wrong = 1;
        received += q->len;
    }
    tcp_recved(pcb, p->tot_len);
    pbuf_free(p);
    return ERR_OK;
}
static err_t accept(void *arg, struct tcp_pcb *pcb, err_t err) {
    (void)arg, (void)err;
    tcp_recv(pcb, serve);
    return ERR_OK;
}

/* Pieces of all lengths, copied or referred to, so that segments are chains that are cut at odd places. */
static void pour(struct tcp_pcb *pcb) {
    while (sent < TRANSFER) {
        u32_t size = noise() % 8 ? 1 + noise() % 300 : 1 + noise() % 3000;
        if (size > TRANSFER - sent) size = TRANSFER - sent;
        if (size > tcp_sndbuf(pcb)) break;
        if (tcp_write(pcb, payload + sent, (u16_t)size, noise() % 3 ? TCP_WRITE_FLAG_COPY : 0) != ERR_OK) break;
        sent += size;
    }
    tcp_output(pcb);
    if (sent == TRANSFER) {
        tcp_sent(pcb, NULL);
        tcp_close(pcb);
    }
}
static err_t acknowledged(void *arg, struct tcp_pcb *pcb, u16_t length) {
    (void)arg, (void)length;
    pour(pcb);
    return ERR_OK;
}
static err_t connected(void *arg, struct tcp_pcb *pcb, err_t err) {
    (void)arg, (void)err;
    tcp_sent(pcb, acknowledged);
    pour(pcb);
    return ERR_OK;
}

static void turn(void) {
    netif_poll_all();
    sys_check_timeouts();
    now += 10;
}

static void transfer(const char *name, const ip_addr_t *address, u16_t port) {
    struct tcp_pcb *server = tcp_new_ip_type(IPADDR_TYPE_ANY), *client = tcp_new_ip_type(IP_GET_TYPE(address));
    long turns = 0;
    sent = received = 0;
    closed = 0;
    tcp_bind(server, IP_ANY_TYPE, port);
    server = tcp_listen(server);
    tcp_accept(server, accept);
    tcp_connect(client, address, port, connected);
    while (!closed && ++turns < 10000000) turn();
    tcp_close(server);
    printf("%s: %lu of %d bytes\n", name, (unsigned long)received, TRANSFER);
    if (received != TRANSFER) wrong = 1;
}

/* ---- UDP ------------------------------------------------------------------------------------------------ */

static unsigned long datagrams;

static void datagram(void *arg, struct udp_pcb *pcb, struct pbuf *p, const ip_addr_t *from, u16_t port) {
    u8_t bytes[2000];
    const u16_t size = pbuf_copy_partial(p, bytes, sizeof bytes, 0);
    (void)arg, (void)pcb, (void)from, (void)port;
    if (memcmp(bytes, payload + size, size) != 0) wrong = 1;
    ++datagrams;
    pbuf_free(p);
}

static void datagrams_to(const char *name, const ip_addr_t *address, u16_t port) {
    struct udp_pcb *server = udp_new_ip_type(IPADDR_TYPE_ANY), *client = udp_new_ip_type(IP_GET_TYPE(address));
    u16_t size;
    int i;
    datagrams = 0;
    udp_bind(server, IP_ANY_TYPE, port);
    udp_recv(server, datagram, NULL);
    for (i = 0; i < DATAGRAMS; ++i) {
        /* A chain of three, the last of which takes the rest. */
        struct pbuf *chain = NULL;
        u16_t at = 0, part;
        int piece;
        size = (u16_t)(1 + noise() % 1400);
        for (piece = 0; piece < 3 && at < size; ++piece, at += part) {
            struct pbuf *p;
            part = piece < 2 ? (u16_t)(1 + noise() % (u32_t)(size - at)) : (u16_t)(size - at);
            p = pbuf_alloc(piece ? PBUF_RAW : PBUF_TRANSPORT, part, PBUF_RAM);
            pbuf_take(p, payload + size + at, part);
            if (chain)
                pbuf_cat(chain, p);
            else
                chain = p;
        }
        if (udp_sendto(client, chain, address, port) != ERR_OK) wrong = 1;
        pbuf_free(chain);
        turn();
    }
    udp_remove(client);
    udp_remove(server);
    printf("%s: %lu of %d datagrams\n", name, datagrams, DATAGRAMS);
}

int main(int argc, char **argv) {
    const u32_t head[6] = {0xa1b2c3d4, 0x00040002, 0, 0, 65535, 101};
    ip_addr_t four = IPADDR4_INIT_BYTES(127, 0, 0, 1), six = IPADDR6_INIT_HOST(0, 0, 0, 1);
    u32_t i;
    if (argc < 2 || !(capture = fopen(argv[1], "wb"))) return 2;
    every = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    fwrite(head, sizeof head, 1, capture);
    for (i = 0; i < TRANSFER; ++i) payload[i] = (u8_t)(noise() % 16 ? noise() : 0xff);

    lwip_init();
    transfer("TCP over IPv4", &four, 5000);
    transfer("TCP over IPv6", &six, 5001);
    datagrams_to("UDP over IPv4", &four, 5002);
    datagrams_to("UDP over IPv6", &six, 5003);
    printf("packets: %lu, flipped: %lu, refused for their checksum: %lu\n", packets, flipped,
           (unsigned long)lwip_stats.ip.chkerr + lwip_stats.tcp.chkerr + lwip_stats.udp.chkerr);
    if (fclose(capture) != 0) return 2;
    if (wrong) printf("what arrived is wrong\n");
    return wrong;
}
