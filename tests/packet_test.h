// Packets in tests: written in hex, checked in every way at once. SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>
#include <onesum/packet.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "reference.h"

namespace packets {

using Packet = std::vector<unsigned char>;
using Results = std::vector<onesum_packet_result>;

// Hex digits, with blanks between them where that reads better.
inline Packet hex(std::string_view digits) {
    Packet packet;
    int high = -1;
    for (const char c : digits) {
        if (c == ' ') continue;
        const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
        REQUIRE((digit >= 0 && digit < 16));
        if (high < 0) {
            high = digit;
        } else {
            packet.push_back(static_cast<unsigned char>(high << 4 | digit));
            high = -1;
        }
    }
    REQUIRE(high < 0);
    return packet;
}

inline Packet operator+(Packet a, const Packet &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

inline bool same(const onesum_packet_result &a, const onesum_packet_result &b) {
    return a.offset == b.offset && a.covered[0].offset == b.covered[0].offset &&
           a.covered[0].size == b.covered[0].size && a.covered[1].offset == b.covered[1].offset &&
           a.covered[1].size == b.covered[1].size && a.stored == b.stored && a.expected == b.expected &&
           a.protocol == b.protocol && a.verdict == b.verdict && a.reason == b.reason && a.flags == b.flags;
}

// The packet as a list of pieces of `size` bytes, the first of them shorter by `less`, with an empty one
// between.
inline std::vector<onesum_buffer> pieces(const unsigned char *data, size_t total, size_t size, size_t less) {
    std::vector<onesum_buffer> list;
    for (size_t at = 0; at < total;) {
        const size_t wanted = at == 0 ? size - less : size;
        const size_t taken = std::min(wanted, total - at);
        list.push_back({data + at, taken});
        list.push_back({nullptr, 0});
        at += taken;
    }
    return list;
}

// What must hold of the results for `size` bytes, whatever these are.
inline bool in_order(const onesum_packet_result *results, size_t count, size_t size) {
    bool right = count <= ONESUM_PACKET_LAYERS;
    for (size_t i = 0; right && i < count; ++i) {
        right = results[i].offset + 2 <= size && (i == 0 || results[i - 1].offset < results[i].offset);
        for (const onesum_packet_range &range : results[i].covered) right &= range.offset + range.size <= size;
        right &=
            (results[i].reason != ONESUM_REASON_NONE) == (results[i].verdict == ONESUM_VERDICT_UNVERIFIABLE);
    }
    return right;
}

// The packet cut at every length, and with each of its bytes changed in turn, flush against an unreadable page:
// nothing beyond it is read, and nothing told of it.
inline void disturb(const reference::Guarded &memory, const Packet &packet, uint32_t start,
                    const onesum_packet_options *options) {
    onesum_packet_result results[ONESUM_PACKET_LAYERS];
    const auto right = [&](unsigned char *data, size_t size) {
        const size_t count = onesum_packet_check(data, size, start, options, results, ONESUM_PACKET_LAYERS);
        return in_order(results, count, size);
    };
    for (size_t size = 0; size < packet.size(); ++size) {
        CAPTURE(size);
        unsigned char *data = memory.last(size);
        if (size != 0) std::memcpy(data, packet.data(), size);
        REQUIRE(right(data, size));
    }
    unsigned char *data = memory.last(packet.size());
    if (!packet.empty()) std::memcpy(data, packet.data(), packet.size());
    for (size_t at = 0; at < packet.size(); ++at) {
        CAPTURE(at);
        for (const int value :
             {0x00, 0x01, 0x04, 0x7f, 0xff, packet[at] ^ 0x01, packet[at] ^ 0x10, packet[at] ^ 0x80}) {
            data[at] = static_cast<unsigned char>(value);
            REQUIRE(right(data, packet.size()));
        }
        data[at] = packet[at];
    }
}

// Checks a packet that lies flush against an unreadable page, whole and in pieces: the same each time, and in
// order. A short one also as `disturb` has it.
inline Results check(const Packet &packet, uint32_t start, const onesum_packet_options *options = nullptr) {
    static reference::Guarded memory(1 << 18);
    REQUIRE(packet.size() <= memory.size());
    unsigned char *data = memory.last(packet.size());
    if (!packet.empty()) std::memcpy(data, packet.data(), packet.size());
    Results results(ONESUM_PACKET_LAYERS);
    std::memset(results.data(), 0xee, results.size() * sizeof results[0]);  // every field is written
    results.resize(onesum_packet_check(data, packet.size(), start, options, results.data(), results.size()));
    CHECK(in_order(results.data(), results.size(), packet.size()));
    for (const size_t size : {size_t{1}, size_t{7}, size_t{32}, size_t{129}}) {
        const auto list = pieces(data, packet.size(), size, size / 3);
        Results again(ONESUM_PACKET_LAYERS);
        again.resize(
            onesum_packet_check_iov(list.data(), list.size(), start, options, again.data(), again.size()));
        REQUIRE(again.size() == results.size());
        for (size_t i = 0; i < results.size(); ++i) CHECK(same(again[i], results[i]));
    }
    if (packet.size() <= 400) disturb(memory, packet, start, options);
    return results;
}

// Fills a packet, and fills copies of it in pieces: the same bytes and results each time.
inline Results fill(Packet &packet, uint32_t start, const onesum_packet_options *options = nullptr) {
    const Packet before = packet;
    Results results(ONESUM_PACKET_LAYERS);
    results.resize(
        onesum_packet_fill(packet.data(), packet.size(), start, options, results.data(), results.size()));
    for (const size_t size : {size_t{1}, size_t{13}}) {
        Packet copy = before;
        std::vector<onesum_writable> list;
        for (const onesum_buffer &piece : pieces(copy.data(), copy.size(), size, size / 3))
            list.push_back({const_cast<void *>(piece.data), piece.size});
        Results again(ONESUM_PACKET_LAYERS);
        again.resize(
            onesum_packet_fill_iov(list.data(), list.size(), start, options, again.data(), again.size()));
        CHECK(copy == packet);
        REQUIRE(again.size() == results.size());
        for (size_t i = 0; i < results.size(); ++i) CHECK(same(again[i], results[i]));
    }
    return results;
}

// Results in words: "udp@26 832b bad ffff" is the protocol, the field's offset, what it holds, the verdict, and
// what it should hold where that is known and different. Then the reason in brackets, and what was done.
inline std::string text(const Results &results) {
    std::string all;
    for (const onesum_packet_result &result : results) {
        char words[96];
        std::snprintf(words, sizeof words, "%s%s@%zu %04x %s", all.empty() ? "" : ", ",
                      onesum_protocol_name(result.protocol), result.offset, reference::network(result.stored),
                      onesum_verdict_name(result.verdict));
        all += words;
        if (result.flags & ONESUM_RESULT_EXPECTED && result.expected != result.stored) {
            std::snprintf(words, sizeof words, " %04x", reference::network(result.expected));
            all += words;
        }
        if (result.reason != ONESUM_REASON_NONE)
            all += std::string(" (") + onesum_reason_name(result.reason) + ")";
        if (result.flags & ONESUM_RESULT_QUOTED) all += " quoted";
        if (result.flags & ONESUM_RESULT_FOLLOWED)
            all += " followed";
        else if (result.flags & ONESUM_RESULT_FILLED)
            all += " filled";
    }
    return all;
}

inline std::string verdicts(const Packet &packet, uint32_t start,
                            const onesum_packet_options *options = nullptr) {
    return text(check(packet, start, options));
}

}  // namespace packets
