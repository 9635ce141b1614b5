// A verdict on every checksum of a packet: check. SPDX-License-Identifier: MIT
//
// A case is the length of an IP packet, TCP over IPv4 behind 14 bytes of Ethernet, or a variation of that
// before it: `raw` begins with IP, `ipv6` is TCP over IPv6, `udp` is UDP, `vxlan` has 50 bytes of a tunnel
// around it, `pieces` is cut behind each header and in the middle of the payload, and `bad` has a wrong TCP
// checksum.
#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

#include "bench.h"
#include "contestants.h"
#include "onesum/packet.h"

namespace bench {

namespace {

using Bytes = std::vector<unsigned char>;

void put16(Bytes &bytes, std::size_t value) {
    bytes.push_back(static_cast<unsigned char>(value >> 8));
    bytes.push_back(static_cast<unsigned char>(value));
}
void put(Bytes &bytes, std::initializer_list<unsigned char> more) {
    for (const unsigned char byte : more) bytes.push_back(byte);
}

void put_ethernet(Bytes &bytes, std::size_t type) {
    put(bytes, {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1});
    put16(bytes, type);
}
void put_ipv4(Bytes &bytes, std::size_t length, unsigned char protocol) {
    put(bytes, {0x45, 0});
    put16(bytes, length);
    put(bytes, {0, 1, 0x40, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2});
}
void put_ipv6(Bytes &bytes, std::size_t length, unsigned char protocol) {
    put(bytes, {0x60, 0, 0, 0});
    put16(bytes, length - 40);
    put(bytes, {protocol, 64});
    for (const unsigned char last : {1, 2})
        put(bytes, {0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last});
}
void put_udp(Bytes &bytes, std::size_t from, std::size_t to, std::size_t length) {
    put16(bytes, from);
    put16(bytes, to);
    put16(bytes, length);
    put16(bytes, 0);
}

struct Packet {
    Packet(std::string_view kind, std::size_t length)
        : start(kind == "raw" ? ONESUM_LINK_RAW : ONESUM_LINK_ETHERNET) {
        if (kind == "vxlan") {
            put_ethernet(bytes, 0x0800);
            put_ipv4(bytes, length + 50, 17);
            put_udp(bytes, 50000, 4789, length + 30);
            put(bytes, {8, 0, 0, 0, 0, 0, 1, 0});
        }
        const bool ipv6 = kind == "ipv6", udp = kind == "udp";
        if (kind != "raw") put_ethernet(bytes, ipv6 ? 0x86dd : 0x0800);
        const std::size_t network = bytes.size();
        (ipv6 ? put_ipv6 : put_ipv4)(bytes, length, udp ? 17 : 6);
        const std::size_t transport = bytes.size();
        if (udp) {
            put_udp(bytes, 50000, 50001, length - 20);
        } else {
            put16(bytes, 50000);
            put16(bytes, 80);
            put(bytes, {0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x10, 16, 0, 0, 0, 0, 0});
        }
        const std::size_t payload = bytes.size();
        std::mt19937 random(4);
        while (bytes.size() < network + length) bytes.push_back(static_cast<unsigned char>(random()));

        onesum_packet_options options{};
        options.fill_verdicts = 1 << ONESUM_VERDICT_BAD | 1 << ONESUM_VERDICT_ABSENT;
        onesum_packet_fill(bytes.data(), bytes.size(), start, &options, nullptr, 0);
        if (kind == "bad") bytes.back() ^= 1;
        due = kind == "bad" ? ONESUM_VERDICT_BAD : ONESUM_VERDICT_GOOD;
        sums = ipv6 ? 1 : kind == "vxlan" ? 4 : 2;

        if (kind != "pieces") return;
        const std::size_t ends[] = {network, transport, payload, (payload + bytes.size()) / 2, bytes.size()};
        for (std::size_t begin = 0; const std::size_t end : ends) {
            pieces.push_back({&bytes[begin], end - begin});
            begin = end;
        }
    }

    // How many checksums there are, if the last one has the verdict that is due and the others are good.
    bool is_right() const {
        onesum_packet_result results[ONESUM_PACKET_LAYERS];
        return check(results) == sums && results[sums - 1].verdict == due &&
               std::all_of(results, results + sums - 1,
                           [](const onesum_packet_result &r) { return r.verdict == ONESUM_VERDICT_GOOD; });
    }
    std::size_t check(onesum_packet_result *results) const {
        return pieces.empty() ? onesum_packet_check(bytes.data(), bytes.size(), start, nullptr, results,
                                                    ONESUM_PACKET_LAYERS)
                              : onesum_packet_check_iov(pieces.data(), pieces.size(), start, nullptr, results,
                                                        ONESUM_PACKET_LAYERS);
    }

    std::uint32_t start;
    Bytes bytes;
    std::vector<onesum_buffer> pieces;
    onesum_verdict due;
    std::size_t sums;
};

void add_check(const Contestant &who, const std::string &kind, std::size_t length) {
    const std::string name = (kind.empty() ? "" : kind + ":") + std::to_string(length);
    add("check", who.name, name, [=](benchmark::State &state) {
        onesum_select(who.select);
        const Packet packet(kind, length);
        if (!packet.is_right()) return state.SkipWithError("wrong on this data");
        onesum_packet_result results[ONESUM_PACKET_LAYERS];
        for (auto _ : state) {
            benchmark::DoNotOptimize(packet.check(results));
            benchmark::ClobberMemory();
        }
    });
}

const Operation operation{[] {
    for (const Contestant &who : library())
        for (const std::size_t length : {60, 1500}) {
            add_check(who, "", length);
            if (who.name != "auto") continue;
            for (const char *kind : {"raw", "ipv6", "udp", "vxlan", "pieces", "bad"})
                add_check(who, kind, length);
        }
}};

}  // namespace

}  // namespace bench
