// Bytes in pieces: lists, copies between lists, streams, segments, batches. SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <onesum/onesum.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "dispatch/calls.h"
#include "dispatch/kernel.h"
#include "reference.h"

using reference::canonical;
using Bytes = std::vector<unsigned char>;

namespace {

// The byte-wise definition of the sum of any range of some bytes, from running totals: the values of the bytes
// before i, each at an even place and each at an odd one.
class Ranges {
  public:
    Ranges(const unsigned char *data, std::size_t size) : totals_(size + 1) {
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t odd = 0; odd < 2; ++odd)
                totals_[i + 1][odd] = totals_[i][odd] + reference::byte_value(data[i], i + odd);
    }
    std::uint32_t partial(std::size_t offset, std::size_t size, std::uint32_t seed) const {
        const std::size_t odd = offset % 2;
        return canonical(totals_[offset + size][odd] - totals_[offset][odd] + seed);
    }

  private:
    std::vector<std::array<std::uint64_t, 2>> totals_;
};

// Sizes of pieces that are `size` together.
using Cuts = std::vector<std::size_t>;

// Every way to cut `size` bytes into four pieces, empty ones among them.
template <typename Body>
void every_cut(std::size_t size, const Body &body) {
    Cuts cuts(4);
    for (cuts[0] = 0; cuts[0] <= size; ++cuts[0])
        for (cuts[1] = 0; cuts[0] + cuts[1] <= size; ++cuts[1])
            for (cuts[2] = 0; cuts[0] + cuts[1] + cuts[2] <= size; ++cuts[2]) {
                cuts[3] = size - cuts[0] - cuts[1] - cuts[2];
                body(cuts);
            }
}

void cut_at_random(Cuts &cuts, std::size_t size, std::size_t pieces, std::mt19937 &random) {
    cuts.clear();
    for (std::size_t i = 1; i < pieces; ++i) cuts.push_back(random() % (size + 1));
    // Half of the time a crowd of pieces of 0 to 3 bytes, and one long one.
    if (random() % 2)
        for (std::size_t i = 0; i < cuts.size(); ++i) cuts[i] = std::min(size, cuts[0] + i * (random() % 3));
    std::sort(cuts.begin(), cuts.end());
    std::size_t before = 0;
    for (std::size_t &cut : cuts) before += cut = cut - before;
    cuts.push_back(size - before);
}

// One by one after each other in `data`; a list of these is the bytes as they are.
std::vector<onesum_buffer> &pieces(const unsigned char *data, const Cuts &cuts) {
    static std::vector<onesum_buffer> list;
    list.clear();
    for (std::size_t cut : cuts) {
        list.push_back({cut ? data : nullptr, cut});
        data += cut;
    }
    return list;
}

// Pieces of memory with red zones around each of them.
class Target {
  public:
    explicit Target(std::size_t largest) : memory_(largest + 51 * zone, red) {}

    std::vector<onesum_writable> &cut(const Cuts &cuts) {
        list_.clear();
        std::size_t at = zone;
        for (std::size_t cut : cuts) {
            list_.push_back({cut ? &memory_[at] : nullptr, cut});
            at += cut + zone;
        }
        used_ = at;
        return list_;
    }
    // Whether the list's bytes from `offset` on are those `size` at `data`, and nothing else was written. Makes
    // all of it red again.
    bool holds(const unsigned char *data, std::size_t offset, std::size_t size) {
        bool right = true;
        std::size_t place = 0;
        for (const onesum_writable &piece : list_) {
            unsigned char *at = static_cast<unsigned char *>(piece.data);
            for (std::size_t i = 0; i < piece.size; ++i, ++place)
                right &= at[i] == (place >= offset && place - offset < size ? data[place - offset] : red);
            if (piece.size) std::memset(at, red, piece.size);
        }
        for (std::size_t i = 0; i < used_; ++i) right &= memory_[i] == red;
        return right;
    }

  private:
    static constexpr std::size_t zone = 8;
    static constexpr unsigned char red = 0xa7;
    Bytes memory_;
    std::vector<onesum_writable> list_;
    std::size_t used_ = 0;
};

bool sums_right(const std::vector<onesum_buffer> &list, std::size_t size, std::uint32_t seed,
                std::uint32_t due) {
    onesum_state state;
    onesum_init(&state, seed);
    for (const onesum_buffer &piece : list) onesum_update(&state, piece.data, piece.size);
    return canonical(onesum_final(&state)) == due &&
           canonical(onesum_partial_iov(list.data(), list.size(), 0, size, seed)) == due;
}

Bytes noise(std::size_t size, std::mt19937 &random) {
    Bytes data(size);
    reference::fill(data.data(), size, reference::Pattern::half_ones, random);
    // No byte looks like a red zone, so that a missing copy shows.
    std::replace(data.begin(), data.end(), static_cast<unsigned char>(0xa7), static_cast<unsigned char>(0xff));
    return data;
}

}  // namespace

TEST_CASE("every split of 0 to 64 bytes into four pieces: sum, stream, copy") {
    std::mt19937 random(31);
    const Bytes data = noise(64, random);
    const Ranges ranges(data.data(), 64);
    Target target(64);
    for (std::size_t size = 0; size <= 64; ++size) {
        const std::uint32_t due = ranges.partial(0, size, 0x1234);
        const Cuts whole{size};
        Cuts other(4);
        every_cut(size, [&](const Cuts &cuts) {
            REQUIRE(sums_right(pieces(data.data(), cuts), size, 0x1234, due));
            // From these pieces into others, and from others into these.
            cut_at_random(other, size, 1 + random() % 4, random);
            const auto copied = [&](const Cuts &from, const Cuts &to) {
                auto &src = pieces(data.data(), from);
                auto &dst = target.cut(to);
                return canonical(onesum_copy_iov(dst.data(), dst.size(), 0, src.data(), src.size(), 0, size,
                                                 0x1234)) == due &&
                       target.holds(data.data(), 0, size);
            };
            REQUIRE(copied(cuts, other));
            REQUIRE(copied(other, cuts));
        });
    }
}

TEST_CASE("every split of both sides of a copy of 0 to 9 bytes, and every range of it") {
    std::mt19937 random(32);
    const Bytes data = noise(9, random);
    const Ranges ranges(data.data(), 9);
    Target target(9);
    for (std::size_t size = 0; size <= 9; ++size)
        every_cut(size, [&](const Cuts &from) {
            every_cut(size, [&](const Cuts &to) {
                auto &src = pieces(data.data(), from);
                auto &dst = target.cut(to);
                const std::size_t src_offset = random() % (size + 1), dst_offset = random() % (size + 1);
                const std::size_t count = std::min(size - src_offset, size - dst_offset);
                // Asked for more than there is, it takes what there is.
                const std::size_t asked = random() % 4 ? count : SIZE_MAX - random() % 3;
                REQUIRE(canonical(onesum_copy_iov(dst.data(), dst.size(), dst_offset, src.data(), src.size(),
                                                  src_offset, asked, 7)) ==
                        ranges.partial(src_offset, count, 7));
                REQUIRE(target.holds(&data[0] + src_offset, dst_offset, count));
            });
        });
}

TEST_CASE("millions of random splits into up to 50 pieces") {
    std::mt19937 random(33);
    constexpr std::size_t longest = 4000;
    const Bytes data = noise(longest, random);
    const Ranges ranges(data.data(), longest);
    Cuts cuts;
    for (int round = 0; round < 2000000; ++round) {
        const std::size_t size = random() % (round % 16 ? 200 : longest + 1);
        cut_at_random(cuts, size, 1 + random() % 50, random);
        const std::vector<onesum_buffer> &list = pieces(data.data(), cuts);
        const std::uint32_t seed = static_cast<std::uint32_t>(random());
        REQUIRE(sums_right(list, size, seed, ranges.partial(0, size, seed)));
        const std::size_t offset = random() % (size + 1), length = random() % (size - offset + 1);
        REQUIRE(canonical(onesum_partial_iov(list.data(), list.size(), offset, length, seed)) ==
                ranges.partial(offset, length, seed));
    }
}

TEST_CASE("copies between lists that are cut at random, with every implementation") {
    std::mt19937 random(34);
    constexpr std::size_t longest = 3000;
    const Bytes data = noise(longest, random);
    const Ranges ranges(data.data(), longest);
    Target target(longest);
    Cuts from, to;
    for (const onesum::dispatch::Kernel &kernel : onesum::dispatch::kernels) {
        if (onesum_select(kernel.name) != 0) continue;
        CAPTURE(kernel.name);
        for (int round = 0; round < 200000; ++round) {
            const std::size_t src_size = random() % (round % 16 ? 200 : longest + 1);
            const std::size_t dst_size = random() % (round % 16 ? 200 : longest + 1);
            cut_at_random(from, src_size, 1 + random() % 50, random);
            cut_at_random(to, dst_size, 1 + random() % 50, random);
            auto &src = pieces(data.data(), from);
            auto &dst = target.cut(to);
            const std::size_t src_offset = random() % (src_size + 1), dst_offset = random() % (dst_size + 1);
            const std::size_t size = random() % 300;
            const std::size_t count = std::min({size, src_size - src_offset, dst_size - dst_offset});
            const std::uint32_t seed = static_cast<std::uint32_t>(random());
            REQUIRE(canonical(onesum_copy_iov(dst.data(), dst.size(), dst_offset, src.data(), src.size(),
                                              src_offset, size, seed)) ==
                    ranges.partial(src_offset, count, seed));
            REQUIRE(target.holds(data.data() + src_offset, dst_offset, count));
        }
    }
    onesum_select(nullptr);
}

TEST_CASE("an odd chunk, then the rest: known from other libraries' faults") {
    // A copy after an odd chunk wrote one wrong byte there.
    const Bytes data = {1, 2, 3, 4, 5, 6, 7, 8};
    const onesum_buffer src[] = {{&data[0], 3}, {&data[3], 5}};
    Bytes copy(10, 0xee);
    const onesum_writable dst[] = {{&copy[1], 8}};
    CHECK(reference::network(onesum_fold(onesum_copy_iov(dst, 1, 0, src, 2, 0, 8, 0))) == 0xefeb);
    CHECK(copy == Bytes{0xee, 1, 2, 3, 4, 5, 6, 7, 8, 0xee});
    // Carries were lost where a piece began at an odd offset.
    const Bytes first = {0xaa}, rest(6, 0xff);
    const onesum_buffer odd[] = {{first.data(), 1}, {rest.data(), 6}};
    CHECK(reference::network(onesum_fold(onesum_partial_iov(odd, 2, 0, 7, 0))) == 0x55ff);
    const onesum_writable pieces[] = {{&copy[0], 2}, {nullptr, 0}, {&copy[2], 1}, {&copy[3], 7}};
    CHECK(reference::network(onesum_fold(onesum_copy_iov(pieces, 4, 0, odd, 2, 0, 7, 0))) == 0x55ff);
    CHECK(copy == Bytes{0xaa, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 7, 8, 0xee});
    // Nothing to sum or to copy: the seed, and no memory touched.
    CHECK(onesum_partial_iov(nullptr, 0, 0, 0, 0x1234) == 0x1234);
    CHECK(onesum_partial_iov(nullptr, 0, 3, 8, 0x1234) == 0x1234);
    CHECK(onesum_copy_iov(nullptr, 0, 0, nullptr, 0, 0, 0, 0x1234) == 0x1234);
    CHECK(onesum_copy_iov(nullptr, 0, 0, src, 2, 0, 8, 0x1234) == 0x1234);
    CHECK(onesum_copy_iov(dst, 1, 0, nullptr, 0, 0, 8, 0x1234) == 0x1234);
    CHECK(onesum_copy_iov(dst, 1, 8, src, 2, 0, 8, 0x1234) == 0x1234);
    CHECK(onesum_copy_iov(dst, 1, 0, src, 2, 9, 8, 0x1234) == 0x1234);
}

#if defined(__linux__) && defined(__LP64__)
TEST_CASE("millions of pieces, whose sums pass 64 bits") {
    // Each has a sum of 32 bits and is followed by an odd number of bytes, which makes it one of 40.
    static const unsigned char ones[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    constexpr std::size_t unit = std::size_t{1} << 20, size = sizeof(onesum_buffer), count = (1u << 24) + 1000;
    const reference::Repeated memory(unit, (count * size + unit - 1) / unit * unit);
    auto *const list = reinterpret_cast<onesum_buffer *>(memory.data());
    for (std::size_t i = 0; i < unit / size; ++i) list[i] = {ones, sizeof ones};
    // All ones are 0 modulo 0xffff, but for the last byte but one, which has no other.
    const std::uint32_t expected = reference::canonical(0xffff + reference::byte_value(0xff, 0) + 5);
    for (const char *name : {"generic", "adc", "avx2", "avx512", "neon", "rvv"}) {
        if (onesum_select(name) != 0) continue;
        CAPTURE(std::string(name));
        CHECK(reference::canonical(onesum_partial_iov(list, count, 0, count * sizeof ones - 1, 5)) == expected);
    }
    onesum_select(nullptr);
}
#endif

TEST_CASE("more bytes are asked for than the list has") {
    const reference::Guarded memory(4096);
    auto *const list = reinterpret_cast<onesum_buffer *>(memory.last(3 * sizeof(onesum_buffer)));
    static const unsigned char bytes[] = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde};
    list[0] = {bytes, 3}, list[1] = {bytes + 3, 0}, list[2] = {bytes + 3, 4};
    for (std::size_t offset = 0; offset <= 9; ++offset)
        for (const std::size_t more : {std::size_t{0}, std::size_t{1}, std::size_t{2}, SIZE_MAX - 7}) {
            CAPTURE(offset);
            CAPTURE(more);
            const std::size_t there = offset < 7 ? 7 - offset : 0;
            const std::uint32_t expected = reference::partial(bytes + (7 - there), there, 0x8001);
            CHECK(reference::canonical(onesum_partial_iov(list, 3, offset, 7 + more, 0x8001)) == expected);
        }
}

#if defined(__x86_64__) && defined(__LP64__) && !defined(ONESUM_AMALGAMATED)
TEST_CASE("segments are copied by no more than the kernel in use has") {
    using namespace onesum::dispatch;
    for (const std::size_t size : {32767, 32768}) {
        std::vector<CopyFunction> wide;
        for (const Kernel &kernel : kernels) {
            if (onesum_select(kernel.name) != 0) continue;
            CAPTURE(std::string(kernel.name));
            const CopyFunction copy = onesum_segment_copy_in_use(size);
            if (kernel.needs & feature::avx2)
                wide.push_back(copy);
            else
                CHECK((copy == kernel.copy));
            // One of AVX-512, which come first, is none of AVX2.
            if (!(kernel.needs & feature::avx512bw) && kernel.needs & feature::avx2 && wide.size() > 1)
                CHECK((copy != wide.front()));
            // A large payload is no longer in the first cache.
            CHECK((copy == onesum_segment_copy_in_use(65535 - size)) == !(kernel.needs & feature::avx2));
        }
    }
    onesum_select(nullptr);
}
#endif

TEST_CASE("pieces flush against unreadable pages") {
    std::mt19937 random(35);
    const reference::Guarded a(100), b(100), c(100);
    reference::fill(a.begin(), a.size(), reference::Pattern::random, random);
    reference::fill(b.begin(), b.size(), reference::Pattern::random, random);
    for (std::size_t first = 0; first <= 80; ++first)
        for (std::size_t second = 0; second <= 80; ++second) {
            const onesum_buffer list[] = {{a.last(first), first}, {b.begin(), second}};
            Bytes joined(a.last(first), a.end());
            joined.insert(joined.end(), b.begin(), b.begin() + second);
            const std::uint32_t due = reference::partial(joined.data(), joined.size(), 3);
            REQUIRE(canonical(onesum_partial_iov(list, 2, 0, first + second, 3)) == due);
            const onesum_writable dst[] = {{c.last(first + second), first + second}};
            REQUIRE(canonical(onesum_copy_iov(dst, 1, 0, list, 2, 0, first + second, 3)) == due);
            REQUIRE(std::equal(joined.begin(), joined.end(), c.last(first + second)));
        }
}

TEST_CASE("segments") {
    std::mt19937 random(36);
    const Bytes data = noise(70000, random);
    const Ranges ranges(data.data(), data.size());
    for (const onesum::dispatch::Kernel &kernel : onesum::dispatch::kernels) {
        if (onesum_select(kernel.name) != 0) continue;
        CAPTURE(kernel.name);
        for (int round = 0; round < 2000; ++round) {
            const std::size_t segment = round % 4 == 0 ? 1448 : round % 4 == 1 ? 1368 : 1 + random() % 3000;
            const std::size_t room = random() % 3 ? random() % 100 : 0;
            const std::size_t stride = room + segment + (random() % 2 ? random() % 70 : 0);
            const std::size_t size = random() % (round % 8 ? 5000 : 65537), from = random() % 64;
            const std::size_t count = (size + segment - 1) / segment;
            CAPTURE(segment);
            CAPTURE(room);
            CAPTURE(stride);
            CAPTURE(size);
            const std::size_t at = random() % 64;
            Bytes packets(at + count * stride + 64, 0xa7);
            std::vector<std::uint32_t> sums(count + 1, 0x5a5a5a5a);
            REQUIRE(onesum_segments(&packets[at], stride, room, &data[from], size, segment, sums.data()) ==
                    count);
            Bytes due(packets.size(), 0xa7);
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t length = std::min(segment, size - i * segment);
                std::copy_n(&data[from + i * segment], length, &due[at + i * stride + room]);
                REQUIRE(canonical(sums[i]) == ranges.partial(from + i * segment, length, 0));
            }
            REQUIRE(packets == due);
            REQUIRE(sums[count] == 0x5a5a5a5a);
        }
    }
    onesum_select(nullptr);
    unsigned char dst = 0x77;
    CHECK(onesum_segments(&dst, 1, 0, &data[0], 0, 1448, nullptr) == 0);
    CHECK(onesum_segments(nullptr, 1500, 52, nullptr, 0, 1448, nullptr) == 0);
    CHECK(onesum_segments(&dst, 1, 0, &data[0], 100, 0, nullptr) == 0);
    CHECK(dst == 0x77);
    // The last segment ends where the memory does.
    const reference::Guarded memory(4096), source(4096);
    std::uint32_t sums[4];
    std::memcpy(source.last(3000), data.data(), 3000);
    unsigned char *first = memory.last(3 * 14 + 3000);
    CHECK(onesum_segments(first, 1014, 14, source.last(3000), 3000, 1000, sums) == 3);
    CHECK(std::equal(memory.last(1000), memory.end(), &data[2000]));
    CHECK(canonical(sums[2]) == ranges.partial(2000, 1000, 0));
}

// One segment, by the copy for payloads that fit the first cache, and by that for larger ones.
std::uint32_t segment(void *dst, const void *src, std::size_t size, bool large) {
#if !defined(ONESUM_AMALGAMATED)
    if (large) return onesum_segment_copy_in_use(32768)(dst, src, size, 0);
#else
    (void)large;
#endif
    std::uint32_t sum = 0x5a5a5a5a;
    REQUIRE(onesum_segments(dst, 0, 0, src, size, size, &sum) == 1);
    return sum;
}

TEST_CASE("segments at every alignment, flush against unreadable pages") {
    std::mt19937 random(38);
    constexpr std::size_t pages = 28672;
    const reference::Guarded source(pages), target(pages);
    for (const onesum::dispatch::Kernel &kernel : onesum::dispatch::kernels) {
        if (onesum_select(kernel.name) != 0) continue;
        CAPTURE(kernel.name);
        // Around the sizes where another way begins, and where vectors of 32 and 64 bytes end.
        for (const std::size_t size :
             {1,   2,   63,  64,  65,  127, 255, 256,  257,  258,  287,  288,   319,  320,
              321, 352, 383, 384, 385, 511, 577, 1367, 1368, 1448, 1449, 24575, 24576}) {
            CAPTURE(size);
            for (std::size_t dst_offset = 0; dst_offset < 64; ++dst_offset)
                for (const std::size_t src_offset : {std::size_t{0}, std::size_t{random() % 64}}) {
                    CAPTURE(dst_offset);
                    CAPTURE(src_offset);
                    const auto pattern = reference::patterns[random() % 4];
                    for (int way = 0; way < 4; ++way) {
                        const bool at_end = way % 2, large = way / 2;
                        unsigned char *src =
                            at_end ? source.last(size + src_offset) : source.begin() + src_offset;
                        unsigned char *dst =
                            at_end ? target.last(size + dst_offset) : target.begin() + dst_offset;
                        reference::fill(src, size, pattern, random);
                        const std::size_t low =
                            std::min<std::size_t>(64, static_cast<std::size_t>(dst - target.begin()));
                        const std::size_t high =
                            std::min<std::size_t>(64, static_cast<std::size_t>(target.end() - dst) - size);
                        std::fill(dst - low, dst + size + high, static_cast<unsigned char>(0xa7));
                        REQUIRE(canonical(segment(dst, src, size, large)) == reference::partial(src, size, 0));
                        REQUIRE(std::memcmp(src, dst, size) == 0);
                        REQUIRE(std::count(dst - low, dst, 0xa7) == static_cast<std::ptrdiff_t>(low));
                        REQUIRE(std::count(dst + size, dst + size + high, 0xa7) ==
                                static_cast<std::ptrdiff_t>(high));
                    }
                }
        }
        // 0 only if every byte is.
        std::fill(source.begin(), source.end(), static_cast<unsigned char>(0));
        for (std::size_t i = 0; i < 2 * 1448; ++i) {
            const bool large = i >= 1448;
            REQUIRE(segment(target.begin() + 1, source.begin(), 1448, large) == 0);
            source.begin()[i % 1448] = 1;
            const std::uint32_t sum = segment(target.begin() + i % 64, source.begin(), 1448, large);
            source.begin()[i % 1448] = 0;
            REQUIRE(canonical(sum) == (i % 2 == (std::endian::native == std::endian::little) ? 0x100 : 1));
        }
    }
    onesum_select(nullptr);
}

TEST_CASE("batches") {
    std::mt19937 random(37);
    const Bytes data = noise(20000, random);
    for (const onesum::dispatch::Kernel &kernel : onesum::dispatch::kernels) {
        if (onesum_select(kernel.name) != 0) continue;
        for (const std::size_t count : {0, 1, 2, 31, 1000}) {
            std::vector<onesum_buffer> list;
            std::vector<std::uint32_t> sums;
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t size = random() % 4 ? random() % 100 : random() % 2000;
                list.push_back({size ? &data[random() % 18000] : nullptr, size});
                sums.push_back(static_cast<std::uint32_t>(random()));
            }
            std::vector<std::uint16_t> checks(count + 1, 0x5a5a);
            const auto right = [&](const std::uint32_t *seeds) {
                for (std::size_t i = 0; i < count; ++i)
                    if (checks[i] !=
                        onesum_fold(reference::partial(list[i].data, list[i].size, seeds ? seeds[i] : 0)))
                        return false;
                return checks[count] == 0x5a5a;
            };
            onesum_batch(list.data(), count, nullptr, checks.data());
            REQUIRE(right(nullptr));
            onesum_batch(list.data(), count, sums.data(), checks.data());
            REQUIRE(right(sums.data()));
        }
    }
    onesum_select(nullptr);
    const unsigned char rfc1071[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    const onesum_buffer list[] = {{rfc1071, 8}, {nullptr, 0}};
    std::uint16_t checks[2];
    onesum_batch(list, 2, nullptr, checks);
    CHECK(reference::network(checks[0]) == 0x220d);
    CHECK(checks[1] == 0xffff);
}
