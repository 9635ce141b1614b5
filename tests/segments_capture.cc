// Writes packets made by onesum_gso() and with onesum_segments() as a pcap file, for another program to judge.
// SPDX-License-Identifier: MIT
//
// segments-capture FILE [--spoil]: with --spoil, one byte of one payload is changed after its checksum was
// made.
#include <onesum/gso.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "gso_templates.h"

using templates::Bytes;
using templates::Template;

namespace {

void put(Bytes &file, const void *data, std::size_t size) {
    const unsigned char *bytes = static_cast<const unsigned char *>(data);
    file.insert(file.end(), bytes, bytes + size);
}
void put32(Bytes &file, std::uint32_t value) { put(file, &value, 4); }

void put_packet(Bytes &file, const unsigned char *packet, std::size_t size) {
    static std::uint32_t seconds = 0;
    put32(file, ++seconds);
    put32(file, 0);
    put32(file, static_cast<std::uint32_t>(size));
    put32(file, static_cast<std::uint32_t>(size));
    put(file, packet, size);
}

// UDP datagrams over IPv4, their headers written by hand around the sums of the segments.
void put_by_hand(Bytes &file, const Bytes &payload, std::size_t segment) {
    const Template from = templates::named("ipv4 udp");
    const std::size_t room = from.headers.size(), stride = 2048,
                      count = (payload.size() + segment - 1) / segment;
    Bytes packets(count * stride);
    std::vector<std::uint32_t> sums(count);
    onesum_segments(packets.data(), stride, room, payload.data(), payload.size(), segment, sums.data());
    for (std::size_t i = 0; i < count; ++i) {
        unsigned char *packet = &packets[i * stride], *ip = packet + from.network,
                      *udp = packet + from.transport;
        std::memcpy(packet, from.headers.data(), room);
        const std::size_t length = 8 + std::min(segment, payload.size() - i * segment);
        ip[2] = static_cast<unsigned char>((20 + length) >> 8);
        ip[3] = static_cast<unsigned char>(20 + length);
        udp[4] = static_cast<unsigned char>(length >> 8);
        udp[5] = static_cast<unsigned char>(length);
        udp[6] = udp[7] = 0;
        const std::uint32_t pseudo =
            onesum_pseudo_ipv4(ip + 12, ip + 16, static_cast<std::uint32_t>(length), 17, sums[i]);
        const std::uint16_t check = onesum_fold_udp(onesum_partial(udp, 8, pseudo));
        std::memcpy(udp + 6, &check, 2);
    }
    onesum_ipv4_headers_fill(&packets[from.network], stride, count);
    for (std::size_t i = 0; i < count; ++i)
        put_packet(file, &packets[i * stride], room + std::min(segment, payload.size() - i * segment));
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    const bool spoil = argc > 2 && std::strcmp(argv[2], "--spoil") == 0;
    Bytes file;
    put32(file, 0xa1b2c3d4);  // pcap 2.4, in this machine's byte order, Ethernet
    const std::uint16_t version[] = {2, 4};
    put(file, version, sizeof version);
    put32(file, 0);
    put32(file, 0);
    put32(file, 262144);
    put32(file, 1);

    Bytes payload(65536);
    std::uint32_t state = 1;
    for (unsigned char &byte : payload)
        byte = static_cast<unsigned char>((state = state * 1664525 + 1013904223) >> 24);
    for (const Template &from : templates::all()) {
        if (from.network == 0) continue;  // not Ethernet
        for (const auto &[size, segment] : {std::pair<std::size_t, std::size_t>{65536 - 100, 1448},
                                            {20001, 1368},
                                            {999, 333},
                                            {100, 7},
                                            {0, 1448}}) {
            const onesum_gso_packet packet{
                from.headers.data(), from.headers.size(), from.network, payload.data(), size, segment};
            const std::size_t stride = from.headers.size() + segment;
            Bytes packets((size / segment + 1) * stride);
            const std::size_t count = onesum_gso(&packet, packets.data(), stride);
            if (count == 0) return 1;
            if (spoil) packets[from.headers.size()] ^= 1;
            for (std::size_t i = 0; i < count; ++i)
                put_packet(file, &packets[i * stride], onesum_gso_size(&packet, i));
        }
    }
    put_by_hand(file, payload, 1448);
    put_by_hand(file, payload, 1001);

    std::FILE *out = std::fopen(argv[1], "wb");
    if (!out) return 1;
    const bool written = std::fwrite(file.data(), 1, file.size(), out) == file.size();
    return std::fclose(out) == 0 && written ? 0 : 1;
}
