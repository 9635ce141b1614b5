// Payloads cut into segments, and bytes in pieces: segments. SPDX-License-Identifier: MIT
//
// Cases: `65536:MSS` is a call that cuts 64 KiB into segments of MSS bytes, each copied behind 54 bytes of room
// and summed; `tcp:MSS` one that makes finished TCP packets of them. `list:45x1448` is a call that sums 45
// pieces of 1448 bytes, each in a packet buffer of its own, and `list:random` one that sums a random split of
// 4000 bytes into up to 50 pieces, another one each time. `stream:45x1448` sums the pieces as they come over
// time, and `copylist:45x1448` is a call that copies and sums them into 64 KiB in one piece.
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "bench.h"
#include "contestants.h"
#include "onesum/gso.h"

namespace bench {

namespace {

constexpr std::size_t payload_size = 65536, room = 54;

struct Memory {
    explicit Memory(std::size_t size) : bytes(size + 64) {
        void *at = bytes.data();
        std::size_t space = bytes.size();
        first = static_cast<unsigned char *>(std::align(64, size, at, space));
        std::mt19937 random(3);
        for (std::size_t i = 0; i < size; ++i) first[i] = static_cast<unsigned char>(random());
    }
    std::vector<unsigned char> bytes;
    unsigned char *first;
};

// ---- Segments ----------------------------------------------------------------------------------------------

struct Cut {
    const unsigned char *payload;
    unsigned char *packets;
    std::size_t stride, mss;
    std::uint32_t *sums;
};

void in_one_call(const Cut &cut) {
    onesum_segments(cut.packets, cut.stride, room, cut.payload, payload_size, cut.mss, cut.sums);
}

template <typename Body>
void each(const Cut &cut, const Body &body) {
    unsigned char *to = cut.packets + room;
    std::uint32_t *sum = cut.sums;
    for (std::size_t done = 0; done < payload_size; done += cut.mss, to += cut.stride, ++sum)
        body(to, cut.payload + done, std::min(cut.mss, payload_size - done), *sum);
}

// The ceiling: the copy alone.
void only_copied(const Cut &cut) {
    each(cut, [](unsigned char *to, const unsigned char *from, std::size_t size, std::uint32_t &) {
        std::memcpy(to, from, size);
    });
}

// A function that copies and sums, called for each segment.
struct Called {
    CopyFunction copy;
    void operator()(const Cut &cut) const {
        each(cut, [this](unsigned char *to, const unsigned char *from, std::size_t size, std::uint32_t &sum) {
            sum = copy(to, from, size, 0);
        });
    }
};

template <typename Way>
void add_segments(const std::string &implementation, const Way &way, const char *select, std::size_t mss,
                  bool sums = true) {
    add("segments", implementation, "65536:" + std::to_string(mss), [=](benchmark::State &state) {
        onesum_select(select);
        const std::size_t segments = (payload_size + mss - 1) / mss, stride = (room + mss + 63) / 64 * 64;
        const Memory payload(payload_size), packets(segments * stride);
        std::vector<std::uint32_t> got(segments);
        const Cut cut{payload.first, packets.first, stride, mss, got.data()};
        way(cut);
        for (std::size_t i = 0; i < segments; ++i) {
            const std::size_t size = std::min(mss, payload_size - i * mss);
            const unsigned char *from = payload.first + i * mss;
            if (std::memcmp(packets.first + i * stride + room, from, size) != 0 ||
                (sums && onesum_fold(got[i]) != onesum_checksum(from, size)))
                return state.SkipWithError("wrong on this data");
        }
        for (auto _ : state) {
            way(cut);
            benchmark::ClobberMemory();
        }
        state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(payload_size));
    });
}

void add_packets(const std::string &implementation, const char *select, std::size_t mss) {
    add("segments", implementation, "tcp:" + std::to_string(mss), [=](benchmark::State &state) {
        onesum_select(select);
        static constexpr unsigned char headers[54] = {
            2, 0,  0, 0, 0, 2,  2, 0, 0, 0, 0, 1, 8, 0, 0x45, 0, 0, 0, 0, 1, 64, 0,    64,   6,  0,
            0, 10, 0, 0, 1, 10, 0, 0, 2, 1, 2, 3, 4, 0, 0,    0, 0, 0, 0, 0, 0,  0x50, 0x18, 16, 0};
        const std::size_t segments = (payload_size + mss - 1) / mss, stride = (room + mss + 63) / 64 * 64;
        const Memory payload(payload_size), packets(segments * stride);
        const onesum_gso_packet large{headers, sizeof headers, 14, payload.first, payload_size, mss};
        if (onesum_gso(&large, packets.first, stride) != segments) return state.SkipWithError("not cut");
        for (auto _ : state) {
            onesum_gso(&large, packets.first, stride);
            benchmark::ClobberMemory();
        }
        state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(payload_size));
    });
}

// ---- Lists -------------------------------------------------------------------------------------------------

std::uint32_t list_in_one_call(const onesum_buffer *list, std::size_t count) {
    return onesum_partial_iov(list, count, 0, SIZE_MAX, 0);
}

std::uint32_t one_call_each(const onesum_buffer *list, std::size_t count) {
    std::uint32_t sum = 0;
    std::size_t offset = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sum = onesum_block_add(sum, onesum_partial(list[i].data, list[i].size, 0), offset);
        offset += list[i].size;
    }
    return sum;
}

std::uint32_t stream(const onesum_buffer *list, std::size_t count) {
    onesum_state state;
    onesum_init(&state, 0);
    for (std::size_t i = 0; i < count; ++i) onesum_update(&state, list[i].data, list[i].size);
    return onesum_final(&state);
}

using SumList = std::uint32_t (*)(const onesum_buffer *, std::size_t);

constexpr std::size_t pieces = 45, piece = 1448, slot = 1536;

std::vector<onesum_buffer> in_slots(const Memory &memory) {
    std::vector<onesum_buffer> list;
    for (std::size_t i = 0; i < pieces; ++i) list.push_back({memory.first + i * slot, piece});
    return list;
}

void add_long_list(const std::string &implementation, const std::string &kind, SumList sum,
                   const char *select) {
    add("segments", implementation, kind + ":45x1448", [=](benchmark::State &state) {
        onesum_select(select);
        const Memory memory(pieces * slot);
        const std::vector<onesum_buffer> list = in_slots(memory);
        if (onesum_fold(sum(list.data(), list.size())) != onesum_fold(one_call_each(list.data(), list.size())))
            return state.SkipWithError("wrong on this data");
        for (auto _ : state) benchmark::DoNotOptimize(sum(list.data(), list.size()));
        state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(pieces * piece));
    });
}

void add_copied_list(const std::string &implementation, const char *select) {
    add("segments", implementation, "copylist:45x1448", [=](benchmark::State &state) {
        onesum_select(select);
        const Memory memory(pieces * slot), joined(pieces * piece);
        const std::vector<onesum_buffer> list = in_slots(memory);
        const onesum_writable to = {joined.first, pieces * piece};
        const auto copy = [&] { return onesum_copy_iov(&to, 1, 0, list.data(), list.size(), 0, SIZE_MAX, 0); };
        if (onesum_fold(copy()) != onesum_checksum(joined.first, pieces * piece))
            return state.SkipWithError("wrong on this data");
        for (auto _ : state) {
            benchmark::DoNotOptimize(copy());
            benchmark::ClobberMemory();
        }
        state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(pieces * piece));
    });
}

void add_list(const std::string &implementation, SumList sum, const char *select) {
    add_long_list(implementation, "list", sum, select);
    add("segments", implementation, "list:random", [=](benchmark::State &state) {
        onesum_select(select);
        constexpr std::size_t size = 4000, lists = 4096;
        const Memory memory(size);
        std::mt19937 random(4);
        std::vector<onesum_buffer> all;
        std::vector<std::size_t> begins{0}, cuts;
        for (std::size_t i = 0; i < lists; ++i) {
            cuts.assign(1, 0);
            for (std::size_t j = random() % 50; j != 0; --j) cuts.push_back(random() % (size + 1));
            cuts.push_back(size);
            std::sort(cuts.begin(), cuts.end());
            for (std::size_t j = 1; j < cuts.size(); ++j)
                all.push_back({memory.first + cuts[j - 1], cuts[j] - cuts[j - 1]});
            begins.push_back(all.size());
        }
        const std::uint16_t due = onesum_checksum(memory.first, size);
        for (std::size_t i = 0; i < lists; ++i)
            if (onesum_fold(sum(&all[begins[i]], begins[i + 1] - begins[i])) != due)
                return state.SkipWithError("wrong on this data");
        std::size_t i = 0;
        for (auto _ : state) {
            benchmark::DoNotOptimize(sum(&all[begins[i]], begins[i + 1] - begins[i]));
            i = (i + 1) % lists;
        }
        state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
    });
}

// The same bytes in one piece.
void add_joined(const std::string &implementation, const char *select) {
    add("segments", implementation, "joined:65160", [=](benchmark::State &state) {
        onesum_select(select);
        const Memory memory(pieces * piece);
        for (auto _ : state) benchmark::DoNotOptimize(onesum_partial(memory.first, pieces * piece, 0));
        state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(pieces * piece));
    });
}

const Operation operation{[] {
    for (const Contestant &who : library()) {
        for (const std::size_t mss : {1368, 1448}) {
            add_segments(who.name, in_one_call, who.select, mss);
            add_packets(who.name, who.select, mss);
        }
        add_list(who.name, list_in_one_call, who.select);
        add_long_list(who.name, "stream", stream, who.select);
        add_copied_list(who.name, who.select);
        add_joined(who.name, who.select);
    }
    for (const std::size_t mss : {1368, 1448}) {
        add_segments("memcpy", only_copied, nullptr, mss, false);
        for (const Contestant &who : everybody())
            if (who.copy && who.works && who.name.starts_with("memcpy+"))
                add_segments(who.name, Called{who.copy}, nullptr, mss);
        add_segments("called", Called{onesum_copy}, nullptr, mss);
    }
    add_list("called", one_call_each, nullptr);
}};

}  // namespace

}  // namespace bench
