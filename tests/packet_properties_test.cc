// What must hold for every packet: those of a folder of captures, ONESUM_CORPUS, or else of the sample capture,
// and some that are built to be hostile. SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "capture/reader.h"
#include "packet/walk.h"
#include "packet_test.h"

using namespace packets;

namespace {

// A packet and where it begins.
struct Start {
    Packet packet;
    uint32_t link;
};

void read_capture(const std::filesystem::path &path, std::vector<Start> &starts) {
    const int descriptor = open(path.c_str(), O_RDONLY);
    REQUIRE(descriptor >= 0);
    {
        onesum::capture::Input input(descriptor);
        onesum::capture::Reader reader(input);
        while (const onesum::capture::Packet *packet = reader.next()) {
            const auto *bytes = reinterpret_cast<const unsigned char *>(packet->bytes.data());
            starts.push_back({Packet(bytes, bytes + packet->bytes.size()), packet->link});
        }
    }
    close(descriptor);
}

Packet repeat(const char *digits, size_t count) {
    Packet all;
    for (size_t i = 0; i < count; ++i) all = all + hex(digits);
    return all;
}

// Nested far deeper than anybody sends. Each header claims more than there is.
void build_hostile(std::vector<Start> &starts) {
    constexpr uint32_t v4 = ONESUM_LINK_IPV4, v6 = ONESUM_LINK_IPV6, ethernet = ONESUM_LINK_ETHERNET;
    starts.push_back({repeat("4500ffff00010000400400000a0000010a000002", 40), v4});
    starts.push_back({repeat("4500ffff00010000402f00000a0000010a000002 8000080000000000", 40), v4});
    starts.push_back({repeat("4500ffff00010000400100000a0000010a000002 0300000000000000", 40), v4});
    starts.push_back({repeat("450000000001000040670000 0a0000010a000002 2100000000000000", 40), v4});
    starts.push_back(
        {repeat("60000000ffff2940 20010db8000000000000000000000001 20010db8000000000000000000000002", 40), v6});
    starts.push_back(
        {repeat("6000000000003a40 20010db8000000000000000000000001 20010db8000000000000000000000002"
                "0100000000000000",
                40),
         v6});
    starts.push_back({hex("020000000002020000000001") + repeat("0500aaaa03000000", 4000), ethernet});
    starts.push_back({hex("020000000002020000000001") + repeat("81000001", 8000), ethernet});
    starts.push_back({repeat("00000000", 8000), ONESUM_LINK_MPLS});
    starts.push_back(
        {hex("6000000077770040 20010db8000000000000000000000001 20010db8000000000000000000000002") +
             repeat("3c00010400000000", 4000),
         v6});
    starts.push_back(
        {hex("45007fff00010000402e00000a0000010a000002 100c000001007f00") + repeat("1001000001000008", 2000),
         v4});
    starts.push_back(
        {hex("4500ffff00010000402f00000a0000010a000002 40000800 00000000") + repeat("08000400 01020304", 4000),
         v4});
    starts.push_back(
        {hex("4500003c00010000401100000a0000010a000002 0868086800280000 34ff002000000001 00000085") +
             repeat("01000085", 10),
         v4});
    // An extension of 1020 bytes that are not there.
    starts.push_back({hex("4500003c00010000401100000a0000010a000002 0868086800280000 34ff002000000001 00000085"
                          "ff000085 0000000000000000"),
                      v4});
    // All zeros, and all ones, under every link type that is known.
    for (uint32_t link = 0; link < 300; ++link) {
        if (!onesum_packet_link_known(link)) continue;
        starts.push_back({Packet(200, 0x00), link});
        starts.push_back({Packet(200, 0xff), link});
        starts.push_back({Packet(200, 0x45), link});
        starts.push_back({Packet(200, 0x60), link});
    }
}

const std::vector<Start> &all_packets() {
    static const std::vector<Start> starts = [] {
        std::vector<Start> found;
        if (const char *corpus = std::getenv("ONESUM_CORPUS")) {
            for (const auto &entry : std::filesystem::recursive_directory_iterator(corpus))
                if (entry.is_regular_file()) read_capture(entry.path(), found);
            MESSAGE(std::to_string(found.size()) << " packets in the folder of captures");
            REQUIRE(found.size() > 1000);
        } else {
            read_capture(std::getenv("ONESUM_SAMPLE"), found);
            MESSAGE(std::to_string(found.size())
                    << " packets in the sample capture; ONESUM_CORPUS names no folder");
            REQUIRE(found.size() > 0);
        }
        build_hostile(found);
        return found;
    }();
    return starts;
}

// Plain calls, for the many of a property.
Results quick_check(const Packet &packet, uint32_t link) {
    Results results(ONESUM_PACKET_LAYERS);
    results.resize(
        onesum_packet_check(packet.data(), packet.size(), link, nullptr, results.data(), results.size()));
    return results;
}

Results quick_fill(Packet &packet, uint32_t link) {
    Results results(ONESUM_PACKET_LAYERS);
    results.resize(
        onesum_packet_fill(packet.data(), packet.size(), link, nullptr, results.data(), results.size()));
    return results;
}

// What filling leaves: nothing that could be put right.
bool is_settled(const onesum_packet_result &result) {
    if (result.flags & ONESUM_RESULT_QUOTED) return true;
    switch (result.verdict) {
        case ONESUM_VERDICT_BAD:
        case ONESUM_VERDICT_ILLEGAL_ZERO:
            return !(result.flags & ONESUM_RESULT_EXPECTED);
        case ONESUM_VERDICT_PARTIAL:
            return result.flags & ONESUM_RESULT_TSO;
        default:
            return true;
    }
}

bool in_a_filled_field(const Results &results, size_t at) {
    for (const onesum_packet_result &result : results)
        if (result.flags & ONESUM_RESULT_FILLED && (at == result.offset || at == result.offset + 1))
            return true;
    return false;
}

}  // namespace

TEST_CASE("a packet is read the same whole and in pieces, and nothing beyond it") {
    for (const Start &start : all_packets()) check(start.packet, start.link);
}

TEST_CASE("a changed packet is told the same at one look and by the readers") {
    // Of a list, even of one piece, all is read by the readers.
    std::mt19937 random(3);
    unsigned told_at_once = 0, not_told = 0;
    const auto hold = [&](const Packet &packet, uint32_t link) {
        using namespace onesum::packet;
        onesum_packet_result at_once[ONESUM_PACKET_LAYERS], read[ONESUM_PACKET_LAYERS];
        Summed summed{};
        const bool told =
            check_frequent(packet.data(), packet.size(), link, at_once, std::size(at_once), summed) != 0;
        ++(told ? told_at_once : not_told);
        const onesum_buffer whole = {packet.data(), packet.size()};
        for (const uint32_t flags : {0u, 7u}) {
            onesum_packet_options options{};
            options.flags = flags;
            const size_t count =
                onesum_packet_check(packet.data(), packet.size(), link, &options, at_once, std::size(at_once));
            REQUIRE(onesum_packet_check_iov(&whole, 1, link, &options, read, std::size(read)) == count);
            for (size_t i = 0; i < count; ++i) {
                INFO("link type ", link, ": ", text({at_once[i]}), "; by the readers: ", text({read[i]}));
                REQUIRE(same(at_once[i], read[i]));
            }
        }
    };
    for (const Start &start : all_packets()) {
        hold(start.packet, start.link);
        if (start.packet.empty() || start.packet.size() > 2000) continue;
        for (int i = 0; i < 24; ++i) {
            Packet packet = start.packet;
            // A field of a header becomes anything, or something that may mean a little more.
            const size_t at = random() % std::min<size_t>(packet.size(), 120);
            constexpr unsigned char telling[] = {0, 1, 5, 6, 8, 17, 58, 0x45, 0x60, 0x80, 0xff};
            packet[at] = static_cast<unsigned char>(i % 2 ? random() : telling[random() % std::size(telling)]);
            if (i % 4 == 0) packet.resize(packet.size() - random() % std::min<size_t>(packet.size(), 40));
            hold(packet, start.link);
            // The same, once all checksums are right again, so that what follows is looked into.
            quick_fill(packet, start.link);
            hold(packet, start.link);
            // And with a field that holds nothing, or the sum of a pseudo-header.
            for (const onesum_packet_result &result : quick_check(packet, start.link)) {
                Packet offloaded = packet;
                uint16_t value = 0;
                // The pseudo-header's sum is what takes that of the bytes, the checksum among them, to 0xffff.
                if (i % 3 != 0)
                    value = onesum_checksum(packet.data() + result.covered[0].offset, result.covered[0].size);
                std::memcpy(offloaded.data() + result.offset, &value, 2);
                hold(offloaded, start.link);
            }
        }
    }
    CHECK(told_at_once > 1000);
    CHECK(not_told > 1000);
}

TEST_CASE("cut at any length, nothing beyond the cut is read") {
    reference::Guarded memory(1 << 18);
    for (const Start &start : all_packets()) {
        onesum_packet_result results[ONESUM_PACKET_LAYERS];
        for (size_t size = 0; size < start.packet.size(); ++size) {
            unsigned char *data = memory.last(size);
            std::memcpy(data, start.packet.data(), size);
            const size_t count =
                onesum_packet_check(data, size, start.link, nullptr, results, ONESUM_PACKET_LAYERS);
            REQUIRE(count <= ONESUM_PACKET_LAYERS);
            for (size_t i = 0; i < count; ++i) REQUIRE(results[i].offset + 2 <= size);
        }
    }
}

TEST_CASE("at most 16 headers are read, and 16 times the packet's bytes summed") {
    unsigned deepest = 0, told_at_once = 0;
    for (const Start &start : all_packets()) {
        using namespace onesum::packet;
        const size_t most = ONESUM_PACKET_LAYERS * start.packet.size();
        onesum_packet_result results[ONESUM_PACKET_LAYERS];
        Summed before{};
        told_at_once += check_frequent(start.packet.data(), start.packet.size(), start.link, results,
                                       std::size(results), before) != 0;
        CHECK(before.bytes <= 2 * start.packet.size());
        // The walk as it goes on from there, and all of it; also where there is no need of one.
        for (const Summed &known : {before, Summed{}}) {
            const Bytes bytes(start.packet.data(), start.packet.size());
            Walk walk(bytes, nullptr, results, known);
            walk.run(start.link);
            for (unsigned i = walk.count(); i-- > 0;) judge(walk, walk[i]);
            CHECK(walk.layers <= ONESUM_PACKET_LAYERS);
            CHECK(walk.count() <= walk.layers);
            CHECK(walk.summed >= known.bytes);
            CHECK(walk.summed <= most);
            deepest = std::max(deepest, walk.layers);
        }
    }
    CHECK(deepest == ONESUM_PACKET_LAYERS);
    CHECK(told_at_once > 0);
}

TEST_CASE("one bit flipped that a good checksum covers, and it is good no longer") {
    std::mt19937 random(1);
    for (const Start &start : all_packets()) {
        Packet packet = start.packet;
        const auto flip = [&](const onesum_packet_result &good, size_t at, int bit) {
            packet[at] ^= static_cast<unsigned char>(1 << bit);
            for (const onesum_packet_result &result : quick_check(packet, start.link)) {
                if (result.offset != good.offset || result.protocol != good.protocol) continue;
                INFO("link type ", start.link, ", ", text({good}), ": byte ", at, " bit ", bit, ": ",
                     text({result}));
                REQUIRE(result.verdict != ONESUM_VERDICT_GOOD);
            }
            packet[at] ^= static_cast<unsigned char>(1 << bit);
        };
        for (const onesum_packet_result &good : quick_check(packet, start.link)) {
            if (good.verdict != ONESUM_VERDICT_GOOD) continue;
            for (const onesum_packet_range &range : good.covered) {
                // Every bit up to a kilobyte, then some at random.
                const size_t first = std::min<size_t>(range.size, 1024);
                for (size_t i = 0; i < first * 8; ++i)
                    flip(good, range.offset + i / 8, static_cast<int>(i % 8));
                for (size_t i = 0; range.size > first && i < 256; ++i)
                    flip(good, range.offset + random() % range.size, static_cast<int>(random() % 8));
            }
        }
    }
}

TEST_CASE("filled, all is good but what cannot be; filled again, it stays; and only fields change") {
    std::mt19937 random(2);
    for (const Start &start : all_packets()) {
        for (const bool spoiled : {false, true}) {
            Packet packet = start.packet;
            if (spoiled)
                for (const onesum_packet_result &result : quick_check(packet, start.link))
                    if (!(result.flags & ONESUM_RESULT_QUOTED))
                        packet[result.offset] = static_cast<unsigned char>(random() | 1);
            const Packet before = packet;
            const Results filled = quick_fill(packet, start.link);
            for (size_t at = 0; at < packet.size(); ++at)
                if (packet[at] != before[at]) REQUIRE(in_a_filled_field(filled, at));
            const Results after = quick_check(packet, start.link);
            REQUIRE(after.size() == filled.size());
            for (size_t i = 0; i < after.size(); ++i) {
                INFO("link type ", start.link, ", ", text(filled), "; then ", text(after));
                REQUIRE(is_settled(after[i]));
                if (filled[i].verdict == ONESUM_VERDICT_GOOD) REQUIRE(after[i].verdict == ONESUM_VERDICT_GOOD);
                if (filled[i].flags & ONESUM_RESULT_FILLED) {
                    REQUIRE(after[i].verdict == ONESUM_VERDICT_GOOD);
                    REQUIRE(after[i].stored == filled[i].expected);
                }
            }
            const Packet once = packet;
            quick_fill(packet, start.link);
            REQUIRE(packet == once);
        }
    }
}

TEST_CASE("filled in pieces as in one") {
    for (const Start &start : all_packets()) {
        if (start.packet.size() > 2000) continue;
        Packet packet = start.packet;
        fill(packet, start.link);
    }
}
