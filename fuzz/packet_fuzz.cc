// Any bytes as a packet of any link type, for libFuzzer. SPDX-License-Identifier: MIT
//
// An input is a byte that picks the link type, a byte of the options' flags, a byte that says how to cut the
// packet in pieces, and the packet. fuzz-seeds writes such inputs from captures.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "fuzz/links.h"
#include "packet/walk.h"

namespace {

using Results = std::vector<onesum_packet_result>;

#define HOLDS(condition) \
    if (!(condition)) std::abort()

bool same(const onesum_packet_result &a, const onesum_packet_result &b) {
    return a.offset == b.offset && a.covered[0].size == b.covered[0].size &&
           a.covered[1].size == b.covered[1].size && a.stored == b.stored && a.expected == b.expected &&
           a.protocol == b.protocol && a.verdict == b.verdict && a.reason == b.reason && a.flags == b.flags;
}

// A packet in a block of its own, so that a sanitizer sees any access beyond it.
struct Block {
    Block(const unsigned char *from, size_t size) : data(new unsigned char[size]), size(size) {
        std::memcpy(data.get(), from, size);
    }
    std::unique_ptr<unsigned char[]> data;
    size_t size;
};

// The same cut in pieces, each in a block of its own.
struct Pieces {
    Pieces(const unsigned char *from, size_t size, unsigned cut) {
        for (size_t at = 0; at < size;) {
            const size_t taken =
                std::min<size_t>(size - at, blocks.size() % 3 == 0 ? cut / 16 + 1 : cut % 16 * 5 + 1);
            blocks.emplace_back(from + at, taken);
            list.push_back({blocks.back().data.get(), taken});
            at += taken;
        }
    }
    std::vector<Block> blocks;
    std::vector<onesum_writable> list;

    std::vector<onesum_buffer> constant() const {
        std::vector<onesum_buffer> all;
        for (const onesum_writable &piece : list) all.push_back({piece.data, piece.size});
        return all;
    }
    bool holds(const unsigned char *bytes) const {
        for (const onesum_writable &piece : list) {
            if (std::memcmp(piece.data, bytes, piece.size) != 0) return false;
            bytes += piece.size;
        }
        return true;
    }
};

void hold_bounds(const Block &packet, uint32_t link, const onesum_packet_options &options) {
    using namespace onesum::packet;
    onesum_packet_result results[ONESUM_PACKET_LAYERS];
    const Bytes bytes(packet.data.get(), packet.size);
    // As onesum_packet_check() goes about it: what has been summed before counts, too.
    Summed before{};
    check_frequent(packet.data.get(), packet.size, link, results, ONESUM_PACKET_LAYERS, before);
    Walk walk(bytes, &options, results, before);
    walk.run(link);
    HOLDS(walk.layers <= ONESUM_PACKET_LAYERS && walk.count() <= walk.layers);
    for (unsigned i = walk.count(); i-- > 0;) judge(walk, walk[i]);
    HOLDS(walk.summed <= ONESUM_PACKET_LAYERS * packet.size);
}

void hold_results(const Results &results, size_t size) {
    for (size_t i = 0; i < results.size(); ++i) {
        const onesum_packet_result &result = results[i];
        HOLDS(i == 0 || results[i - 1].offset + 2 <= result.offset);
        HOLDS(result.offset + 2 <= size);
        for (const onesum_packet_range &range : result.covered) HOLDS(range.offset + range.size <= size);
        HOLDS((result.reason != 0) == (result.verdict == ONESUM_VERDICT_UNVERIFIABLE));
    }
}

void hold_filling(Block packet, const unsigned char *before, uint32_t link,
                  const onesum_packet_options &options, Pieces &pieces) {
    Results filled(ONESUM_PACKET_LAYERS), again(ONESUM_PACKET_LAYERS);
    unsigned char *data = packet.data.get();
    const size_t count = onesum_packet_fill(data, packet.size, link, &options, filled.data(), filled.size());
    std::vector<unsigned char> undone(data, data + packet.size);
    for (size_t i = 0; i < count; ++i)
        if (filled[i].flags & ONESUM_RESULT_FILLED)
            std::memcpy(undone.data() + filled[i].offset, before + filled[i].offset, 2);
    HOLDS(packet.size == 0 || std::memcmp(undone.data(), before, packet.size) == 0);

    HOLDS(onesum_packet_check(data, packet.size, link, &options, again.data(), again.size()) == count);
    for (size_t i = 0; i < count; ++i) {
        HOLDS(again[i].offset == filled[i].offset);
        if (filled[i].flags & ONESUM_RESULT_FILLED || filled[i].verdict == ONESUM_VERDICT_GOOD)
            HOLDS(again[i].verdict == ONESUM_VERDICT_GOOD);
        if (again[i].flags & (ONESUM_RESULT_QUOTED | ONESUM_RESULT_TSO)) continue;
        HOLDS(again[i].verdict != ONESUM_VERDICT_BAD && again[i].verdict != ONESUM_VERDICT_PARTIAL);
        HOLDS(again[i].verdict != ONESUM_VERDICT_ILLEGAL_ZERO || !(again[i].flags & ONESUM_RESULT_EXPECTED));
    }

    const std::vector<unsigned char> once(data, data + packet.size);
    onesum_packet_fill(data, packet.size, link, &options, nullptr, 0);
    HOLDS(packet.size == 0 || std::memcmp(data, once.data(), packet.size) == 0);
    onesum_packet_fill_iov(pieces.list.data(), pieces.list.size(), link, &options, nullptr, 0);
    HOLDS(pieces.holds(once.data()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *input, size_t size) {
    if (size < fuzz::head_size) return 0;
    const uint32_t link = fuzz::links[input[0] % std::size(fuzz::links)];
    onesum_packet_options options{};
    options.flags = input[1];
    const Block packet(input + fuzz::head_size, size - fuzz::head_size);
    Pieces pieces(packet.data.get(), packet.size, input[2]);

    Results results(ONESUM_PACKET_LAYERS), again(ONESUM_PACKET_LAYERS);
    results.resize(
        onesum_packet_check(packet.data.get(), packet.size, link, &options, results.data(), results.size()));
    hold_results(results, packet.size);
    hold_bounds(packet, link, options);

    const std::vector<onesum_buffer> list = pieces.constant();
    again.resize(onesum_packet_check_iov(list.data(), list.size(), link, &options, again.data(), again.size()));
    HOLDS(again.size() == results.size());
    for (size_t i = 0; i < results.size(); ++i) HOLDS(same(results[i], again[i]));
    HOLDS(packet.size == 0 || std::memcmp(packet.data.get(), input + fuzz::head_size, packet.size) == 0);

    hold_filling(Block(packet.data.get(), packet.size), packet.data.get(), link, options, pieces);
    return 0;
}
