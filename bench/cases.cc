// The cases and their memory. SPDX-License-Identifier: MIT
#include "cases.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

#include "tests/reference.h"

namespace bench {

namespace {

constexpr std::size_t sizes[] = {8,    14,   20,    21,    28,    40,     64,      96,      128,  192,
                                 256,  512,  576,   1024,  1368,  1400,   1448,    1500,    2048, 4096,
                                 8192, 9000, 16384, 32768, 65535, 262144, 1048576, 67108864};
constexpr std::size_t misaligned_sizes[] = {20,   40,   64,   128,   256,   576,   1448,
                                            1500, 4096, 9000, 16384, 32768, 65535, 1048576};
constexpr std::size_t page_end_sizes[] = {8, 14, 20, 21, 40, 64, 128, 256, 576, 1500, 4096, 8192, 16384};
constexpr std::size_t cold_sizes[] = {64, 1500, 9000, 65535};
constexpr std::size_t longest = 67108864;

constexpr std::size_t huge_page = std::size_t{1} << 21;

// Memory for the whole run, at a huge page's boundary and in huge pages where the system has them, so that the
// same pages give the same conflicts in physically indexed caches in every run.
unsigned char *map(std::size_t size) {
    void *at = mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        std::perror("onesum-bench: mmap");
        std::exit(1);
    }
    const std::uintptr_t aligned = (reinterpret_cast<std::uintptr_t>(at) + huge_page - 1) & -huge_page;
    unsigned char *begin = reinterpret_cast<unsigned char *>(aligned);
    madvise(begin, size, MADV_HUGEPAGE);
    return begin;
}

void fill(unsigned char *at, std::size_t size, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    for (std::size_t i = 0; i < size; i += 8) {
        const std::uint64_t word = random();
        std::memcpy(at + i, &word, std::min<std::size_t>(8, size - i));
    }
}

// Source and destination of the fixed cases. The destination begins half a page and a line further on in its
// page, so that no store has the low address bits of a load that comes soon after it.
struct Buffers {
    unsigned char *src, *dst;
};

const Buffers &buffers() {
    static const Buffers made = [] {
        Buffers b{map(longest + huge_page), map(longest + huge_page) + 2048 + 64};
        fill(b.src, longest + huge_page, 1);
        std::memset(b.dst, 0, longest);
        return b;
    }();
    return made;
}

// What the end of each lies flush against cannot be read.
struct PageEnds {
    reference::Guarded src{std::size_t{1} << 16}, dst{std::size_t{1} << 16};
    PageEnds() { fill(src.begin(), src.size(), 2); }
};

const PageEnds &page_ends() {
    static const PageEnds made;
    return made;
}

struct MixOf {
    const char *name;
    std::size_t from, to;  // 0: of Internet traffic, IMIX
};
constexpr MixOf mixes[] = {
    {"mix:1-64", 1, 64}, {"mix:65-256", 65, 256}, {"mix:1-1500", 1, 1500}, {"mix:imix", 0, 1500}};

constexpr std::size_t mix_window = 8192;

Mix draw(const MixOf &from) {
    const std::size_t memory = mix_window + from.to;
    Mix mix{std::vector<Draw>(draw_count), map(memory), map(memory) + 2048 + 64, 0};
    fill(const_cast<unsigned char *>(mix.src), memory, 3);
    std::mt19937 random{4};
    std::uniform_int_distribution<std::uint16_t> offset{0, mix_window - 1};
    std::uniform_int_distribution<std::uint16_t> size{static_cast<std::uint16_t>(from.from),
                                                      static_cast<std::uint16_t>(from.to)};
    std::discrete_distribution<int> packet{7, 4, 1};
    for (Draw &d : mix.draws) {
        d.src = offset(random);
        d.dst = offset(random);
        constexpr std::uint16_t packets[] = {40, 576, 1500};
        d.size = from.from == 0 ? packets[packet(random)] : size(random);
        mix.mean_size += static_cast<double>(d.size) / draw_count;
    }
    return mix;
}

std::string text(std::size_t n) { return std::to_string(n); }

}  // namespace

void map_fixed() {
    buffers();
    page_ends();
}

Piece Case::fixed() const {
    if (page_end) return {page_ends().src.last(size), page_ends().dst.last(size), size};
    return {buffers().src + offset, buffers().dst, size};
}

const Mix &mix_of(const Case &which) {
    static std::map<int, Mix> made;
    auto found = made.find(which.mix);
    if (found == made.end()) found = made.emplace(which.mix, draw(mixes[which.mix])).first;
    return found->second;
}

Cold cold_of(const Case &which) {
    struct Memory {
        unsigned char *src, *dst;
        std::size_t size;
    };
    static const Memory memory = [] {
        std::size_t cache = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE)
        cache = static_cast<std::size_t>(std::max(0L, sysconf(_SC_LEVEL3_CACHE_SIZE)));
#endif
        std::size_t size = std::size_t{1} << 28;
        while (size < 8 * cache && size < std::size_t{1} << 30) size *= 2;
        Memory m{map(size), map(size), size};
        fill(m.src, cold_period, 5);
        for (std::size_t at = cold_period; at < size; at += cold_period)
            std::memcpy(m.src + at, m.src, cold_period);
        std::memset(m.dst, 0, size);
        return m;
    }();
    std::size_t slot = 64;
    while (slot < which.size) slot *= 2;
    return {memory.src, memory.dst, slot, memory.size / slot};
}

const std::vector<Case> &cases() {
    static const std::vector<Case> all = [] {
        using enum Case::Kind;
        std::vector<Case> list;
        for (std::size_t size : sizes) list.push_back({text(size), fixed, size});
        for (std::size_t size : misaligned_sizes) list.push_back({text(size) + "+1", fixed, size, 1});
        for (std::size_t size : {8, 14}) list.push_back({text(size) + "+4", fixed, size, 4});
        for (std::size_t size : page_end_sizes) list.push_back({"pageend:" + text(size), fixed, size, 0, true});
        for (int i = 0; i < static_cast<int>(std::size(mixes)); ++i)
            list.push_back({mixes[i].name, mix, mixes[i].to, 0, false, i});
        for (std::size_t size : cold_sizes) list.push_back({"cold:" + text(size), cold, size});
        return list;
    }();
    return all;
}

std::vector<Case> aligned(std::initializer_list<std::size_t> of) {
    std::vector<Case> list;
    for (std::size_t size : of) list.push_back({text(size), Case::Kind::fixed, size});
    return list;
}

namespace {

std::uint16_t definition(const unsigned char *data, std::size_t size) {
    return static_cast<std::uint16_t>(~reference::partial(data, size, seed));
}

}  // namespace

const std::vector<std::uint16_t> &expected(const Case &which) {
    static std::map<std::string, std::vector<std::uint16_t>> made;
    std::vector<std::uint16_t> &sums = made[which.name];
    if (!sums.empty()) return sums;
    switch (which.kind) {
        case Case::Kind::fixed:
            sums.push_back(definition(which.fixed().src, which.size));
            break;
        case Case::Kind::mix:
            for (const Draw &d : mix_of(which).draws)
                sums.push_back(definition(mix_of(which).src + d.src, d.size));
            break;
        case Case::Kind::cold: {
            const Cold cold = cold_of(which);
            for (std::size_t at = 0; at < cold_period; at += cold.slot)
                sums.push_back(definition(cold.src + at, which.size));
            break;
        }
    }
    return sums;
}

}  // namespace bench
