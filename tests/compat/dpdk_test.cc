// onesum/compat/dpdk.h beside DPDK's own functions, on random packets and mbuf chains, and against the
// byte-wise definition where those are wrong. SPDX-License-Identifier: MIT
#include <rte_config.h>
// after it
#include <doctest/doctest.h>
#include <onesum/compat/dpdk.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "reference.h"

namespace {

using Bytes = std::vector<unsigned char>;

std::mt19937 bits(1);
std::size_t below(std::size_t n) { return bits() % n; }

// A chain of mbufs over `bytes`, each of at most `longest` bytes behind some headroom; some are empty.
class Chain {
  public:
    Chain(const Bytes &bytes, std::size_t longest, bool even) {
        for (std::size_t at = 0; at < bytes.size() || mbufs_.empty();) {
            std::size_t size = std::min(below(longest + 1), bytes.size() - at);
            if (even && at + size != bytes.size()) size &= ~std::size_t{1};
            const std::size_t room = below(130);
            auto &memory = memories_.emplace_back(room + size + 1);
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size,
                        memory.begin() + static_cast<std::ptrdiff_t>(room));
            auto &mbuf = *mbufs_.emplace_back(std::make_unique<rte_mbuf>());
            mbuf.buf_addr = memory.data();
            mbuf.data_off = static_cast<std::uint16_t>(room);
            mbuf.data_len = static_cast<std::uint16_t>(size);
            if (mbufs_.size() > 1) mbufs_[mbufs_.size() - 2]->next = &mbuf;
            at += size;
        }
        mbufs_[0]->pkt_len = static_cast<std::uint32_t>(bytes.size());
        mbufs_[0]->nb_segs = static_cast<std::uint16_t>(mbufs_.size());
    }
    rte_mbuf *operator*() const { return mbufs_[0].get(); }

  private:
    std::vector<Bytes> memories_;
    std::vector<std::unique_ptr<rte_mbuf>> mbufs_;
};

Bytes random_bytes(std::size_t size) {
    Bytes bytes(size);
    reference::fill(bytes.data(), size, reference::patterns[below(4)], bits);
    return bytes;
}

// What the definition says of raw checksums and of a chain.
std::uint16_t raw(const unsigned char *bytes, std::size_t size) {
    return static_cast<std::uint16_t>(reference::partial(bytes, size, 0));
}

std::string hex(std::uint16_t value) {
    char text[5];
    std::snprintf(text, sizeof text, "%04x", value);
    return text;
}

constexpr std::uint64_t tso = RTE_MBUF_F_TX_TCP_SEG;

// A packet with random bytes wherever they make no difference to its lengths.
Bytes ipv4_packet(std::size_t words, std::size_t payload, std::uint8_t protocol) {
    Bytes packet = random_bytes(words * 4 + payload);
    packet[0] = static_cast<unsigned char>(0x40 | words);
    packet[2] = static_cast<unsigned char>(packet.size() >> 8);
    packet[3] = static_cast<unsigned char>(packet.size());
    packet[9] = protocol;
    return packet;
}
Bytes ipv6_packet(std::size_t payload, std::uint8_t protocol) {
    Bytes packet = random_bytes(40 + payload);
    packet[4] = static_cast<unsigned char>(payload >> 8);
    packet[5] = static_cast<unsigned char>(payload);
    packet[6] = protocol;
    return packet;
}

}  // namespace

TEST_CASE("raw checksums") {
    for (std::size_t size = 0; size < 3000; ++size) {
        const Bytes bytes = random_bytes(size);
        REQUIRE(onesum_rte_raw_cksum(bytes.data(), size) == rte_raw_cksum(bytes.data(), size));
    }
}

TEST_CASE("raw checksums of chains with even segments, at every offset and length") {
    for (int round = 0; round < 20000; ++round) {
        const Bytes bytes = random_bytes(below(400) + 1);
        const Chain chain(bytes, 60, true);
        // DPDK calls 0 bytes at the end of a chain an error, but not at the end of one mbuf.
        const std::uint32_t offset = static_cast<std::uint32_t>(below(bytes.size()) & ~std::size_t{1}),
                            length = static_cast<std::uint32_t>(below(bytes.size() + 20));
        std::uint16_t ours = 0xa5a5, theirs = 0xa5a5;
        const int status = onesum_rte_raw_cksum_mbuf(*chain, offset, length, &ours);
        REQUIRE(status == rte_raw_cksum_mbuf(*chain, offset, length, &theirs));
        REQUIRE(status == (offset + length > bytes.size() ? -1 : 0));
        REQUIRE(ours == theirs);
    }
}

TEST_CASE("IPv4: headers, pseudo-headers, TCP and UDP, flat and in a chain") {
    for (int round = 0; round < 30000; ++round) {
        const std::uint8_t protocol = round % 2 ? 17 : 6;
        const std::size_t words = 5 + below(11);
        Bytes packet = ipv4_packet(words, below(200), protocol);
        auto *header = reinterpret_cast<rte_ipv4_hdr *>(packet.data());
        const unsigned char *l4 = packet.data() + words * 4;
        REQUIRE(onesum_rte_ipv4_cksum(header) == rte_ipv4_cksum(header));
        for (const std::uint64_t flags : {std::uint64_t{0}, tso})
            REQUIRE(onesum_rte_ipv4_phdr_cksum(header, flags) == rte_ipv4_phdr_cksum(header, flags));
        const std::uint16_t check = onesum_rte_ipv4_udptcp_cksum(header, l4);
        REQUIRE(check == rte_ipv4_udptcp_cksum(header, l4));
        const Chain chain(packet, 50, true);
        const std::uint16_t at = static_cast<std::uint16_t>(words * 4);
        REQUIRE(onesum_rte_ipv4_udptcp_cksum_mbuf(*chain, header, at) == check);
        if (packet.size() > at) REQUIRE(rte_ipv4_udptcp_cksum_mbuf(*chain, header, at) == check);

        // A packet is made right, and wrong again by one bit.
        if (packet.size() < words * 4 + 20) continue;
        const std::size_t field = words * 4 + (protocol == 17 ? 6 : 16);
        packet[field] = packet[field + 1] = 0;
        const std::uint16_t right = onesum_rte_ipv4_udptcp_cksum(header, l4);
        std::memcpy(packet.data() + field, &right, 2);
        for (const bool good : {true, false}) {
            if (!good) packet[words * 4 + below(packet.size() - words * 4)] ^= 0x10;
            const Chain now(packet, 50, true);
            const int expected = good ? 0 : -1;
            REQUIRE(onesum_rte_ipv4_udptcp_cksum_verify(header, l4) == expected);
            REQUIRE(rte_ipv4_udptcp_cksum_verify(header, l4) == expected);
            REQUIRE(onesum_rte_ipv4_udptcp_cksum_mbuf_verify(*now, header, at) == expected);
            REQUIRE(rte_ipv4_udptcp_cksum_mbuf_verify(*now, header, at) == expected);
        }
    }
}

TEST_CASE("IPv6: pseudo-headers, TCP and UDP, flat and in a chain") {
    for (int round = 0; round < 30000; ++round) {
        const std::uint8_t protocol = round % 2 ? 17 : 6;
        Bytes packet = ipv6_packet(below(200), protocol);
        auto *header = reinterpret_cast<rte_ipv6_hdr *>(packet.data());
        const unsigned char *l4 = packet.data() + 40;
        for (const std::uint64_t flags : {std::uint64_t{0}, tso})
            REQUIRE(onesum_rte_ipv6_phdr_cksum(header, flags) == rte_ipv6_phdr_cksum(header, flags));
        const std::uint16_t check = onesum_rte_ipv6_udptcp_cksum(header, l4);
        REQUIRE(check == rte_ipv6_udptcp_cksum(header, l4));
        const Chain chain(packet, 50, true);
        REQUIRE(onesum_rte_ipv6_udptcp_cksum_mbuf(*chain, header, 40) == check);
        if (packet.size() > 40) REQUIRE(rte_ipv6_udptcp_cksum_mbuf(*chain, header, 40) == check);

        if (packet.size() < 60) continue;
        const std::size_t field = 40 + (protocol == 17 ? 6 : 16);
        packet[field] = packet[field + 1] = 0;
        const std::uint16_t right = onesum_rte_ipv6_udptcp_cksum(header, l4);
        std::memcpy(packet.data() + field, &right, 2);
        for (const bool good : {true, false}) {
            if (!good) packet[40 + below(packet.size() - 40)] ^= 0x10;
            const Chain now(packet, 50, true);
            const int expected = good ? 0 : -1;
            REQUIRE(onesum_rte_ipv6_udptcp_cksum_verify(header, l4) == expected);
            REQUIRE(rte_ipv6_udptcp_cksum_verify(header, l4) == expected);
            REQUIRE(onesum_rte_ipv6_udptcp_cksum_mbuf_verify(*now, header, 40) == expected);
            REQUIRE(rte_ipv6_udptcp_cksum_mbuf_verify(*now, header, 40) == expected);
        }
    }
}

TEST_CASE("a computed UDP checksum of 0 is stored as 0xffff, and TCP's is not") {
    // 10.0.0.1 to 10.0.0.2, UDP 0x1234 to 0x5678, ten bytes that sum to 0xffff with the pseudo-header.
    Bytes packet = {0x45, 0x00, 0x00, 0x1e, 0x00, 0x01, 0x00, 0x00, 0x40, 0x11, 0x66, 0xcc, 0x0a, 0x00, 0x00,
                    0x01, 0x0a, 0x00, 0x00, 0x02, 0x12, 0x34, 0x56, 0x78, 0x00, 0x0a, 0x00, 0x00, 0x83, 0x2b};
    auto *header = reinterpret_cast<rte_ipv4_hdr *>(packet.data());
    CHECK(onesum_rte_ipv4_udptcp_cksum(header, packet.data() + 20) == 0xffff);
    CHECK(onesum_rte_ipv4_udptcp_cksum_mbuf(*Chain(packet, 7, false), header, 20) == 0xffff);
    packet[9] = 6;
    packet[29] = 0x36;  // protocol 6 for 17, and the payload 11 more
    CHECK(onesum_rte_ipv4_udptcp_cksum(header, packet.data() + 20) == 0);
}

TEST_CASE("lengths that contradict each other") {
    Bytes packet = ipv4_packet(5, 40, 17);
    auto *header = reinterpret_cast<rte_ipv4_hdr *>(packet.data());
    packet[2] = 0, packet[3] = 19;  // shorter than its header
    CHECK(onesum_rte_ipv4_udptcp_cksum(header, packet.data() + 20) == 0xffff);
    CHECK(rte_ipv4_udptcp_cksum(header, packet.data() + 20) == 0xffff);
    CHECK(onesum_rte_ipv4_udptcp_cksum_verify(header, packet.data() + 20) == -1);
    CHECK(onesum_rte_ipv4_phdr_cksum(header, 0) == rte_ipv4_phdr_cksum(header, 0));
    packet[3] = 61;  // longer than the chain
    const Chain chain(packet, 20, true);
    CHECK(onesum_rte_ipv4_udptcp_cksum_mbuf(*chain, header, 20) == 0xffff);
    CHECK(rte_ipv4_udptcp_cksum_mbuf(*chain, header, 20) == 0xffff);
    CHECK(onesum_rte_ipv4_udptcp_cksum_mbuf_verify(*chain, header, 20) == -1);
    packet[3] = 60;
    CHECK(onesum_rte_ipv4_udptcp_cksum_mbuf_verify(*chain, header, 61) == -1);
}

// ---- Where DPDK 22.11 is wrong and onesum is not: later releases may have changed what it gives. ------------

TEST_CASE("a segment at an odd offset keeps its carries") {
    // aa, then six bytes ff: in network order aaff + ffff + ffff + ff00, which is aa00. DPDK 22.11 says a9fe.
    Bytes bytes = {0xaa, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    rte_mbuf first = {}, second = {};
    first.buf_addr = bytes.data();
    first.data_len = 1;
    first.pkt_len = 7;
    first.next = &second;
    second.buf_addr = bytes.data() + 1;
    second.data_len = 6;
    std::uint16_t ours = 0, theirs = 0;
    REQUIRE(onesum_rte_raw_cksum_mbuf(&first, 0, 7, &ours) == 0);
    REQUIRE(rte_raw_cksum_mbuf(&first, 0, 7, &theirs) == 0);
    CHECK(ours == reference::network(0xaa00));
    MESSAGE("DPDK gives " << hex(reference::network(theirs)) << " for aa00");

    int wrong = 0;
    for (int round = 0; round < 20000; ++round) {
        const Bytes data = random_bytes(below(400) + 1);
        const Chain chain(data, 60, false);
        const std::size_t offset = below(data.size()), length = below(data.size() - offset + 1);
        const std::uint16_t expected = raw(data.data() + offset, length);
        REQUIRE(onesum_rte_raw_cksum_mbuf(*chain, static_cast<std::uint32_t>(offset),
                                          static_cast<std::uint32_t>(length), &ours) == 0);
        REQUIRE(ours == expected);
        rte_raw_cksum_mbuf(*chain, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length),
                           &theirs);
        wrong += theirs != expected;
    }
    MESSAGE("DPDK is wrong on " << wrong << " of 20000 random chains");
}

TEST_CASE("a long buffer") {
    const Bytes ones(262144, 0xff);
    CHECK(onesum_rte_raw_cksum(ones.data(), ones.size()) == 0xffff);
    MESSAGE("DPDK gives " << hex(rte_raw_cksum(ones.data(), ones.size())) << " for ffff");
}

TEST_CASE("what passes the end of a chain is refused") {
    const Bytes bytes = random_bytes(100);
    const Chain chain(bytes, 30, false);
    std::uint16_t sum = 0x1234;
    CHECK(onesum_rte_raw_cksum_mbuf(*chain, 90, 11, &sum) == -1);
    CHECK(onesum_rte_raw_cksum_mbuf(*chain, 101, 0, &sum) == -1);
    CHECK(onesum_rte_raw_cksum_mbuf(*chain, 50, 0xffffffff, &sum) == -1);  // 2^32 + 49 bytes
    (*chain)->pkt_len = 120;                                               // which the chain has not
    CHECK(onesum_rte_raw_cksum_mbuf(*chain, 90, 20, &sum) == -1);
    CHECK(sum == 0x1234);
    (*chain)->pkt_len = 100;
    CHECK(onesum_rte_raw_cksum_mbuf(*chain, 100, 0, &sum) == 0);
    CHECK(sum == 0);
}
