// Vector kernels of x86-64, by Highway. SPDX-License-Identifier: MIT
//
// One body, compiled once for each of Highway's targets: SSSE3, AVX2, and AVX3 (AVX-512 with F, BW, DQ and VL).
// Five rows of the table come of it, because the two VNNI rows are the body with another way to add vectors.
//
// Up to 64 bytes have code of their own, which differs by target. From there on a buffer is
//
//     whole vectors, a fixed number of them a turn  |  whole vectors left over  |  bytes of a last vector
//
// and only the number of turns is a branch. What is left over is always the same number of loads: where a
// vector is absent, the address is that of the buffer's beginning, and the value is masked. The last vector is
// loaded so that it ends with the buffer's last even byte, and what the others have is masked. So nothing
// outside of the buffer is read.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "dispatch/cpu.h"
#include "onesum/onesum.h"

#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS HWY_SSE4  // the same instructions as SSSE3
#define HWY_TARGET_INCLUDE "kernels/highway.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef ONESUM_KERNELS_HIGHWAY_ONCE
#define ONESUM_KERNELS_HIGHWAY_ONCE

// The kernels in general registers, for what is too short for vectors.
extern "C" std::uint32_t onesum_sum_adc(const void *, std::size_t, std::uint32_t);
extern "C" std::uint32_t onesum_copy_adc(void *, const void *, std::size_t, std::uint32_t);

namespace onesum::highway {

using Byte = unsigned char;

// What is read where a part of the buffer is absent.
alignas(64) inline constexpr Byte zeros[64] = {};

// Selections that stay selections: a compiler would be free to make a branch of `?:`.

// `part` if the bit of `size` that `bytes` is is set, else `absent`.
template <std::size_t bytes, typename Pointer>
inline Pointer select_part(std::size_t size, Pointer part, Pointer absent) {
    asm("testb %[bytes], %b[size]\n\tcmovzq %[absent], %[part]"
        : [part] "+r"(part)
        : [size] "q"(size), [absent] "r"(absent), [bytes] "i"(bytes)
        : "cc");
    return part;
}

// `part` if index < count, else `absent`.
template <std::size_t index, typename Pointer>
inline Pointer select_below(std::size_t count, Pointer part, Pointer absent) {
    asm("cmpq %[index], %[count]\n\tcmovbeq %[absent], %[part]"
        : [part] "+r"(part)
        : [count] "r"(count), [absent] "r"(absent), [index] "i"(index)
        : "cc");
    return part;
}

// The lesser of two numbers.
inline std::size_t least(std::size_t a, std::size_t b) {
    asm("cmpq %[b], %[a]\n\tcmovaq %[b], %[a]" : [a] "+r"(a) : [b] "r"(b) : "cc");
    return a;
}

// dispatch::string_copy_wins(), which takes its time, asked once. Threads that ask at once store the same
// answer.
inline bool copies_in_blocks() {
#if defined(ONESUM_COPIES_IN_BLOCKS)
    return true;
#else
    enum Answer : unsigned char { unknown, no, yes };
    static constinit std::atomic<Answer> known{unknown};
    Answer answer = known.load(std::memory_order_relaxed);
    if (answer == unknown) [[unlikely]] {
        answer = dispatch::string_copy_wins() ? yes : no;
        known.store(answer, std::memory_order_relaxed);
    }
    return answer == yes;
#endif
}

template <typename Word>
inline Word load(const Byte *at) {
    Word word;
    __builtin_memcpy(&word, at, sizeof word);
    return word;
}

}  // namespace onesum::highway

#endif

#if HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

HWY_BEFORE_NAMESPACE();

namespace onesum::highway::HWY_NAMESPACE {

namespace {

using std::size_t;
using std::uint32_t;
using std::uint64_t;
using std::uintptr_t;
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::ScalableTag<std::uint8_t> bytes;
constexpr hn::ScalableTag<std::int32_t> ints;
constexpr hn::ScalableTag<uint64_t> longs;
using Vector = hn::Vec<hn::ScalableTag<uint64_t>>;

constexpr size_t width = HWY_MAX_BYTES;
constexpr size_t page = 4096;

HWY_INLINE Vector load_vector(const Byte *at) { return hn::BitCast(longs, hn::LoadU(bytes, at)); }
HWY_INLINE Vector copy_vector(const Byte *src, Byte *dst) {
    const Vector vector = load_vector(src);
    hn::StoreU(hn::BitCast(bytes, vector), bytes, dst);
    return vector;
}
// The vector at `src`, which is stored at `dst` too if that is what is done.
template <bool copying>
HWY_INLINE Vector take_vector(const Byte *src, Byte *dst) {
    if constexpr (copying) return copy_vector(src, dst);
    return load_vector(src);
}

// The first `count` bytes of a vector and zeros, or the others and zeros before them. count <= width.
#if HWY_TARGET == HWY_AVX3
HWY_INLINE uint64_t first_bytes(size_t count) {
    static constexpr uint64_t all = ~uint64_t{0};
    uint64_t mask;
    asm("bzhiq %[count], %[all], %[mask]" : [mask] "=r"(mask) : [count] "r"(count), [all] "m"(all) : "cc");
    return mask;
}
HWY_INLINE auto first_mask(size_t count) { return hn::Mask512<std::uint8_t>{first_bytes(count)}; }
#else
HWY_INLINE auto first_mask(size_t count) { return hn::FirstN(bytes, count); }
#endif
HWY_INLINE Vector first(size_t count, Vector vector) {
    return hn::BitCast(longs, hn::IfThenElseZero(first_mask(count), hn::BitCast(bytes, vector)));
}
HWY_INLINE Vector without_first(size_t count, Vector vector) {
    return hn::BitCast(longs, hn::IfThenZeroElse(first_mask(count), hn::BitCast(bytes, vector)));
}

// The sum of a vector's 64-bit lanes modulo 2^64. Highway's own sum goes on to spread it over a vector again.
template <typename Tag>
HWY_INLINE uint64_t sum_lanes(Tag tag, hn::Vec<Tag> vector) {
    if constexpr (HWY_LANES(uint64_t) > 2 && hn::MaxLanes(Tag()) > 2) {
        const hn::Half<Tag> half;
        return sum_lanes(half, hn::Add(hn::LowerHalf(half, vector), hn::UpperHalf(half, vector)));
    } else {
        return hn::GetLane(hn::Add(vector, hn::Shuffle01(vector)));
    }
}

// The sum of a vector's 32-bit lanes: below 2^36.
HWY_INLINE uint64_t sum_vector(Vector vector) {
    return sum_lanes(longs, hn::Add(hn::And(vector, hn::Set(longs, 0xffffffff)), hn::ShiftRight<32>(vector)));
}

// ---- Three ways to add vectors -----------------------------------------------------------------------------
//
// Each adds vectors into several sums, so that additions don't wait for each other, the i-th of a turn of
// `turn` vectors into a sum that i chooses. Of the vectors that are left over, up to `absent` are added without
// a branch. An empty asm keeps the compiler from reordering the additions, for which it would need more
// registers than there are. The vectors of fewer than two times `block` bytes may be added, and 8 more.

// For each 64-bit lane the total of the lanes modulo 2^64, and the total of their high halves, which is exact
// for fewer than 2^32 vectors. The total without the high halves is then that of the low halves, and exact.
template <size_t vectors>
struct TotalAndHighBy {
    static constexpr size_t turn = vectors;
    static constexpr size_t absent = turn - 1;
    static constexpr size_t block = size_t{1} << 30;

    Vector total[2], high[2];

    HWY_INLINE TotalAndHighBy() { total[0] = total[1] = high[0] = high[1] = hn::Zero(longs); }

    HWY_INLINE void add(size_t i, Vector vector) {
        asm("" : "+v"(vector.raw));  // else gcc loads it twice
        total[i % 2] = hn::Add(total[i % 2], vector);
        high[i % 2] = hn::Add(high[i % 2], hn::ShiftRight<32>(vector));
        asm("" : "+v"(total[i % 2].raw), "+v"(high[i % 2].raw));
    }
    HWY_INLINE void add_two(size_t, Vector a, Vector b) {
        add(0, a);
        add(1, b);
    }

    // Fewer than 2^29 + 2^10 words of 32 bits: below 2^62.
    HWY_INLINE uint64_t value(size_t) const {
        const Vector totals = hn::Add(total[0], total[1]), highs = hn::Add(high[0], high[1]);
        return sum_lanes(longs, hn::Add(hn::Sub(totals, hn::ShiftLeft<32>(highs)), highs));
    }
};

using TotalAndHigh = TotalAndHighBy<width == 32 ? 8 : 4>;
using CopiedTotalAndHigh = TotalAndHighBy<width == 64 ? 2 : 4>;

// A word x, less 32768, is x with its highest bit changed, and signed. Signed words are multiplied by one and
// the products of each two neighbours added, to a 32-bit lane. So after c vectors each lane lacks 65536 c to be
// the sum of 2 c words; modulo 2^32 it may have overflowed, but the sum itself is exact as long as it is below
// 2^32, that is for c up to 32768. The multiplication is Multiply's.
template <typename Multiply, size_t vectors, size_t absent_vectors, size_t... index>
struct Biased {
    static constexpr size_t turn = vectors;
    static constexpr size_t absent = absent_vectors;
    static constexpr size_t block = 8192 * width;

    Vector sums[sizeof...(index)];
    Vector ones, signs;

    HWY_INLINE Biased() {
        ((sums[index] = hn::Zero(longs)), ...);
#if HWY_TARGET == HWY_SSSE3
        ones = hn::BitCast(longs, hn::Set(ints, 0x00010001));
        signs = hn::BitCast(longs, hn::Set(ints, static_cast<int>(0x80008000)));
#else
        // By hand, because gcc makes them anew, by way of general registers, wherever they are used.
        static constexpr uint32_t two_ones = 0x00010001, two_signs = 0x80008000;
        asm("vpbroadcastd %1, %0" : "=v"(ones.raw) : "m"(two_ones));
        asm("vpbroadcastd %1, %0" : "=v"(signs.raw) : "m"(two_signs));
#endif
    }

    HWY_INLINE void add(size_t i, Vector vector) {
        Multiply::add(sums[i % sizeof...(index)], hn::Xor(vector, signs), ones);
    }
    HWY_INLINE void add_two(size_t i, Vector a, Vector b) {
        Multiply::add_two(sums[i % sizeof...(index)], hn::Xor(a, signs), sums[(i + 1) % sizeof...(index)],
                          hn::Xor(b, signs), ones);
    }

    // `count` vectors were added. Below 2^36.
    HWY_INLINE uint64_t value(size_t count) const {
        auto sum = hn::Set(ints, static_cast<int>(count << 16));
        ((sum = hn::Add(sum, hn::BitCast(ints, sums[index]))), ...);
        return sum_vector(hn::BitCast(longs, sum));
    }
};

// In two instructions, which every level has.
struct ByTwo {
    HWY_INLINE static Vector multiply(Vector vector, Vector ones) {
#if HWY_TARGET == HWY_SSSE3
        return Vector{_mm_madd_epi16(vector.raw, ones.raw)};
#elif HWY_TARGET == HWY_AVX2
        return Vector{_mm256_madd_epi16(vector.raw, ones.raw)};
#else
        return Vector{_mm512_madd_epi16(vector.raw, ones.raw)};
#endif
    }
    HWY_INLINE static void add(Vector &sum, Vector vector, Vector ones) {
        vector = multiply(vector, ones);
        sum = hn::BitCast(longs, hn::Add(hn::BitCast(ints, sum), hn::BitCast(ints, vector)));
        asm("" : "+v"(sum.raw));
    }
    HWY_INLINE static void add_two(Vector &sum_a, Vector a, Vector &sum_b, Vector b, Vector ones) {
        add(sum_a, a, ones);
        add(sum_b, b, ones);
    }
};

using MultiplyAndAdd = Biased<ByTwo, 8, 7, 0, 1, 2, 3>;

#if HWY_TARGET != HWY_SSSE3

#if HWY_TARGET == HWY_AVX2 && !defined(ONESUM_VNNI_BY_AVX512)
#define ONESUM_VPDPWSSD "%{vex%} vpdpwssd"
#else
#define ONESUM_VPDPWSSD "vpdpwssd"
#endif

// In one. By hand, because gcc 12 copies the sums to and fro around its own name for the instruction.
struct ByVnni {
    HWY_INLINE static void add(Vector &sum, Vector vector, Vector ones) {
        asm(ONESUM_VPDPWSSD " %[ones], %[vector], %[sum]"
            : [sum] "+v"(sum.raw)
            : [vector] "v"(vector.raw), [ones] "v"(ones.raw));
    }
    // One after the other: where multiplications alternate with what changes the bits, Zen 4 takes 1.18 times
    // as long as for loads alone, and so 1.01.
    HWY_INLINE static void add_two(Vector &sum_a, Vector a, Vector &sum_b, Vector b, Vector ones) {
        asm(ONESUM_VPDPWSSD " %[ones], %[a], %[sum_a]\n\t" ONESUM_VPDPWSSD " %[ones], %[b], %[sum_b]"
            : [sum_a] "+&v"(sum_a.raw), [sum_b] "+v"(sum_b.raw)
            : [a] "v"(a.raw), [b] "v"(b.raw), [ones] "v"(ones.raw));
    }
};

using DotProduct = Biased<ByVnni, 8, 3, 0, 1, 2, 3, 4, 5, 6, 7>;
using ShortDotProduct = Biased<ByVnni, 4, 3, 0, 1, 2, 3>;

#endif

// ---- From 64 bytes to a block ------------------------------------------------------------------------------

// Adds two neighbours of the vectors at `src`.
template <bool copying, typename Sum>
HWY_INLINE void add_two(Sum &sum, size_t i, const Byte *src, Byte *dst) {
    const Vector a = take_vector<copying>(src + i * width, copying ? dst + i * width : dst);
    const Vector b = take_vector<copying>(src + (i + 1) * width, copying ? dst + (i + 1) * width : dst);
    sum.add_two(i, a, b);
}

// Adds two times as many of the vectors at `src` as there are indices.
template <bool copying, typename Sum, size_t... index>
HWY_INLINE void add_vectors(Sum &sum, const Byte *src, Byte *dst, std::index_sequence<index...>) {
    (add_two<copying>(sum, 2 * index, src, dst), ...);
}

// Adds the first `count` of the vectors at `src`; there are as many indices as it may be large.
template <bool copying, typename Sum, size_t... index>
HWY_INLINE void add_left(Sum &sum, const Byte *src, Byte *dst, size_t count, std::index_sequence<index...>) {
    if constexpr (copying) {
        Byte unread[width];
        (sum.add(index, copy_vector(select_below<index>(count, src + index * width, +zeros),
                                    select_below<index>(count, dst + index * width, +unread))),
         ...);
    } else {
        (sum.add(index, load_vector(select_below<index>(count, src + index * width, +zeros))), ...);
    }
}

// Adds the first `count` of the vectors at `src`, and returns how many it added, with those that were absent.
template <bool copying, typename Sum>
HWY_INLINE size_t add_count(Sum &sum, const Byte *src, Byte *dst, size_t count) {
    const size_t counted = count / Sum::turn * Sum::turn;
    for (const Byte *end = src + counted * width; src != end;) {
        add_vectors<copying>(sum, src, dst, std::make_index_sequence<Sum::turn / 2>());
        src += Sum::turn * width;
        if constexpr (copying) dst += Sum::turn * width;
    }
    count %= Sum::turn;
    size_t branched = 0;
    constexpr size_t absent = Sum::absent;
    if constexpr (absent + 1 < Sum::turn) {
        if (count > absent) {
            add_vectors<copying>(sum, src, dst, std::make_index_sequence<(absent + 1) / 2>());
            src += (absent + 1) * width;
            if constexpr (copying) dst += (absent + 1) * width;
            branched = absent + 1;
            count -= absent + 1;
        }
    }
    add_left<copying>(sum, src, dst, count, std::make_index_sequence<absent>());
    return counted + branched + absent;
}

// Adds `size` bytes, width <= size < 2 * Sum::block: below 2^62.
template <typename Sum, bool copying>
HWY_INLINE uint64_t sum_unaligned(const Byte *src, Byte *dst, size_t size) {
    const size_t even = size & ~size_t{1};
    const size_t count = (size - 1) / width;
    Sum sum;
    sum.add(Sum::turn - 1, without_first((count + 1) * width - even, load_vector(src + even - width)));
    const uint64_t odd = src[size - 1] & -(size & 1);
    if constexpr (copying) copy_vector(src + size - width, dst + size - width);
    const size_t added = add_count<copying>(sum, src, dst, count);
    return sum.value(1 + added) + odd;
}

// The same where the vectors are aligned, those to be stored if there are any: size >= 2 * width - 1.
template <typename Sum, bool copying>
HWY_INLINE uint32_t sum_aligned(const Byte *src, Byte *dst, size_t size) {
    // Rotated twice by 8 bits, a sum is congruent to itself.
#if HWY_TARGET == HWY_AVX3
    if constexpr (!copying) {
        // The lines that the buffer lies in, the first and the last of them masked. Where it ends with a line,
        // no load goes further: it might meet a page that is not there, which is slow.
        const size_t before = reinterpret_cast<uintptr_t>(src) % width;
        const Byte *line = src - before;
        const size_t count = (before + size) / width, after = (before + size) % width;
        const auto load_masked = [](uint64_t mask, const Byte *at) {
            return hn::BitCast(longs, hn::MaskedLoad(hn::Mask512<std::uint8_t>{mask}, bytes, at));
        };
        Sum sum;
        sum.add(0, load_masked(~uint64_t{0} << before, line));
        sum.add(1, load_masked(first_bytes(after), after != 0 ? line + count * width : line));
        const size_t added = add_count<false>(sum, line + width, dst, count - 1);
        return onesum_fold64(std::rotl(sum.value(2 + added), static_cast<int>(8 * (before & 1))));
    }
#endif
    const size_t before = -reinterpret_cast<uintptr_t>(copying ? dst : src) % width;
    uint64_t sum = 0;
    if (!copying || before != 0) sum = sum_vector(first(before, take_vector<copying>(src, dst)));
    if constexpr (copying) dst += before;
    // The first rotation, of less than 2^36, is a shift.
    const int rotation = 8 * (before & 1);
    sum = (sum << rotation) + sum_unaligned<Sum, copying>(src + before, dst, size - before);
    return onesum_fold64(std::rotl(sum, rotation));
}

// ---- 1 to 64 bytes ----------------------------------------------------------------------------------------

#if HWY_TARGET == HWY_SSSE3

HWY_INLINE uint32_t sum_short(const Byte *src, size_t size, uint32_t seed) {
    return onesum_sum_adc(src, size, seed);
}
HWY_INLINE uint32_t copy_short(const Byte *src, Byte *dst, size_t size, uint32_t seed) {
    return onesum_copy_adc(dst, src, size, seed);
}

#else

#if HWY_TARGET == HWY_AVX2

HWY_INLINE uint32_t sum_short(const Byte *src, size_t size, uint32_t seed) {
    // A masked load is slow where lanes that are masked off lie in a page that is not there.
    if (reinterpret_cast<uintptr_t>(src) % page > page - 64) [[unlikely]]
        return onesum_sum_adc(src, size, seed);
    const auto count = hn::Set(ints, static_cast<int>(size / 4));
    const auto *words = reinterpret_cast<const std::int32_t *>(src);
    const auto low = hn::MaskedLoad(hn::Lt(hn::Iota(ints, 0), count), ints, words);
    const auto high = hn::MaskedLoad(hn::Lt(hn::Iota(ints, 8), count), ints, words + 8);
    const Byte *two = select_part<2>(size, src + (size & ~size_t{3}), zeros);
    const Byte *one = select_part<1>(size, src + (size & ~size_t{1}), zeros);
    TotalAndHigh sum;
    sum.add(0, hn::BitCast(longs, low));
    sum.add(1, hn::BitCast(longs, high));
    return onesum_fold64(sum.value(2) + load<std::uint16_t>(two) + *one + seed);
}

#else

// The sum of the bytes of a line that the mask says, and of the seed.
//
// By hand, because here the number and length of the instructions are what it costs: fewer by three than those
// of a compiler save two cycles of ten on Zen 4. The sum of the 32-bit words is below 2^36; its halves and the
// seed are added with end-around carry, of which one at most comes of both additions.
HWY_INLINE uint32_t sum_masked(uint64_t mask, const Byte *line, uint32_t seed) {
    static constexpr uint64_t low_half = 0xffffffff;
    uint64_t sum, high;
    asm("kmovq %[mask], %%k1\n\t"
        "vmovdqu8 %[line], %%zmm0%{%%k1%}%{z%}\n\t"
        "vpsrlq $32, %%zmm0, %%zmm1\n\t"
        "vpandq %[low_half]%{1to8%}, %%zmm0, %%zmm0\n\t"
        "vpaddq %%zmm1, %%zmm0, %%zmm0\n\t"
        "vextracti64x4 $1, %%zmm0, %%ymm1\n\t"
        "vpaddq %%ymm1, %%ymm0, %%ymm0\n\t"
        "vextracti128 $1, %%ymm0, %%xmm1\n\t"
        "vpaddq %%xmm1, %%xmm0, %%xmm0\n\t"
        "vpunpckhqdq %%xmm0, %%xmm0, %%xmm1\n\t"
        "vpaddq %%xmm1, %%xmm0, %%xmm0\n\t"
        "vmovq %%xmm0, %[sum]\n\t"
        "vzeroupper\n\t"
        "rorxq $32, %[sum], %[high]\n\t"
        "addl %[seed], %k[sum]\n\t"
        "adcl %k[high], %k[sum]\n\t"
        "adcl $0, %k[sum]"
        : [sum] "=&r"(sum), [high] "=&r"(high)
        : [mask] "r"(mask), [line] "m"(*reinterpret_cast<const Byte(*)[width]>(line)), [seed] "r"(seed),
          [low_half] "m"(low_half)
        : "cc", "k1", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
          "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    return static_cast<uint32_t>(sum);
}

// By one masked load. That is slow where lanes that are masked off lie in a page that is not there: a buffer
// that lies in the last line of a page is loaded with that line.
HWY_INLINE uint32_t sum_short(const Byte *src, size_t size, uint32_t seed) {
    if ((reinterpret_cast<uintptr_t>(src) + width) % page < width) [[unlikely]] {
        const size_t before = reinterpret_cast<uintptr_t>(src) % width;
        if (before + size <= width) {
            const uint32_t sum = sum_masked(first_bytes(size) << before, src - before, 0);
            return onesum_add(std::rotr(sum, static_cast<int>(8 * (before & 1))), seed);
        }
    }
    return sum_masked(first_bytes(size), src, seed);
}

#endif

#if HWY_TARGET == HWY_AVX3

// The bytes of 16 that the mask says, and their sum and the seed.
HWY_INLINE uint32_t copy_masked(const Byte *src, Byte *dst, uint64_t mask, uint32_t seed) {
    const __m128i vector = _mm_maskz_loadu_epi8(static_cast<__mmask16>(mask), src);
    _mm_mask_storeu_epi8(dst, static_cast<__mmask16>(mask), vector);
    const auto low = static_cast<uint64_t>(_mm_cvtsi128_si64(vector));
    return onesum_fold64(onesum_add64(low, static_cast<uint64_t>(_mm_extract_epi64(vector, 1)), seed));
}

// 1 to 15 bytes by a masked store. A load soon after it waits for it, but of so few bytes there is little to
// read. At the end of a page the 16 bytes end with the buffer, for the reason above.
HWY_INLINE uint32_t copy_tiny(const Byte *src, Byte *dst, size_t size, uint32_t seed) {
    const auto at_end = [](const Byte *at) { return (reinterpret_cast<uintptr_t>(at) + 16) % page < 16; };
    if (at_end(src) || at_end(dst)) [[unlikely]] {
        const size_t before = 16 - size;
        const uint32_t sum = copy_masked(src - before, dst - before, first_bytes(size) << before, 0);
        return onesum_add(std::rotr(sum, static_cast<int>(8 * (before & 1))), seed);
    }
    return copy_masked(src, dst, first_bytes(size), seed);
}

#else

HWY_INLINE uint32_t copy_tiny(const Byte *src, Byte *dst, size_t size, uint32_t seed) {
    return onesum_copy_adc(dst, src, size, seed);
}

#endif

// 1 to 64 bytes in four pieces of 16, which overlap where the buffer is shorter: ordinary stores, because a
// load soon after a masked one would wait for it.
HWY_INLINE uint32_t copy_short(const Byte *src, Byte *dst, size_t size, uint32_t seed) {
    if (size < 16) return copy_tiny(src, dst, size, seed);
    constexpr hn::FixedTag<std::uint8_t, 16> piece;
    const size_t last = size - 16, second = least(16, last), third = least(32, last);
    const auto piece0 = hn::LoadU(piece, src), piece1 = hn::LoadU(piece, src + second);
    const auto piece2 = hn::LoadU(piece, src + third), piece3 = hn::LoadU(piece, src + last);
    hn::StoreU(piece0, piece, dst);
    hn::StoreU(piece1, piece, dst + second);
    hn::StoreU(piece2, piece, dst + third);
    hn::StoreU(piece3, piece, dst + last);
    return sum_short(src, size, seed);
}

#endif

// ---- Segments ----------------------------------------------------------------------------------------------

#if HWY_TARGET != HWY_SSSE3

// How far ahead of what is copied the source's lines are asked for, if they are: about one segment.
constexpr size_t asked_ahead = 1536;

// Copies one of many segments of the same size, so that its branches are foreseen, to where stores are rarely
// aligned and lines rarely in the first-level cache. Such a store to two lines waits for both; these go to one,
// but for the first and the last.
template <typename Sum, bool ahead>
HWY_INLINE uint32_t copy_segment(Byte *dst, const Byte *src, size_t size) {
    // Where an odd number of bytes lies before the first aligned vector, the sum is that of the words which
    // begin with the second byte, and the first byte is the upper half of one. Rotated by 8 bits, below 2^63 as
    // it is, it is that of the words which begin with the first.
    const size_t before = -reinterpret_cast<uintptr_t>(dst) % width;
    const size_t odd = before & 1;
    const Byte *const end = src + size;
    const uint64_t first_byte = uint64_t{src[0]} << 8 & -odd;
    Sum sum;
    sum.add(0, first(before - odd, load_vector(src + odd)));
    copy_vector(src, dst);
    const auto copy_last = [=] { copy_vector(end - width, dst + size - width); };
    if constexpr (ahead) copy_last();  // so early because its lines are waited for
    src += before;
    dst += before;
    size -= before;
    const size_t even = size & ~size_t{1}, count = (size - 1) / width;
    sum.add(1, without_first((count + 1) * width - even, load_vector(src + even - width)));
    const uint64_t last_byte = end[-1] & -(size & 1);
    for (size_t turns = count / Sum::turn; turns != 0; --turns) {
        if constexpr (ahead)
            for (size_t i = 0; i < Sum::turn * width; i += 64)
                __builtin_prefetch(
                    reinterpret_cast<const Byte *>(reinterpret_cast<uintptr_t>(src) + asked_ahead + i));
        add_vectors<true>(sum, src, dst, std::make_index_sequence<Sum::turn / 2>());
        src += Sum::turn * width;
        dst += Sum::turn * width;
    }
    for (size_t left = count % Sum::turn; left != 0; --left) {
        sum.add(0, copy_vector(src, dst));
        src += width;
        dst += width;
    }
    if constexpr (!ahead) copy_last();
    return onesum_fold64(std::rotl(first_byte + sum.value(2 + count) + last_byte, static_cast<int>(8 * odd)));
}

#endif

// ---- Any size ----------------------------------------------------------------------------------------------

// Up to here TotalAndHigh makes no turn.
constexpr size_t without_a_turn = TotalAndHigh::turn * width;
constexpr size_t sum_aligned_from = 2048;
constexpr size_t copy_short_to = width == 16 ? 63 : 64;  // 64 bytes are four vectors of SSSE3
constexpr size_t copy_aligned_from = 2048;

// From `copy_in_blocks_from` on, caches of 32 or 48 KiB no longer hold both source and destination. The string
// instruction need not read the destination before it writes it, which makes up for the second look at a block
// of the source, on the processors that string_copy_wins() speaks of. Those without AVX2 may have no fast one.
constexpr size_t copy_in_blocks_from = 24 * 1024;
constexpr size_t copied_block = 8 * 1024;

// Apart, because a function that needs many registers saves them.
template <typename Sum>
HWY_NOINLINE uint32_t sum_long(const Byte *src, size_t size, uint32_t seed) {
    return onesum_add(sum_aligned<Sum, false>(src, nullptr, size), seed);
}
HWY_NOINLINE uint32_t copy_long(const Byte *src, Byte *dst, size_t size, uint32_t seed) {
    return onesum_add(sum_aligned<TotalAndHigh, true>(src, dst, size), seed);
}

// Blocks leave the alignment as it is. The last piece is longer than one, for the others have to be long, too.
template <typename Sum>
HWY_NOINLINE uint32_t sum_blocks(const Byte *src, size_t size, uint32_t seed) {
    for (; size >= 2 * Sum::block; size -= Sum::block, src += Sum::block)
        seed = sum_long<Sum>(src, Sum::block, seed);
    return sum_long<Sum>(src, size, seed);
}
template <typename Sum>
HWY_NOINLINE uint32_t copy_blocks(const Byte *src, Byte *dst, size_t size, uint32_t seed) {
    for (; size >= 2 * copied_block; size -= copied_block) {
        const Byte *block = src;
        size_t count = copied_block;
        asm volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(count) : : "memory");
        seed = sum_long<Sum>(block, copied_block, seed);
    }
    return copy_long(src, dst, size, seed);
}

// In pieces whose sums are exact, for what is too long for one pass.
HWY_NOINLINE uint32_t copy_pieces(const Byte *src, Byte *dst, size_t size, uint32_t seed) {
    constexpr size_t piece = TotalAndHigh::block;
    for (; size >= 2 * piece; size -= piece, src += piece, dst += piece)
        seed = copy_long(src, dst, piece, seed);
    return copy_long(src, dst, size, seed);
}

template <typename Sum>
HWY_NOINLINE uint32_t copy_best(const Byte *src, Byte *dst, size_t size, uint32_t seed) {
    if (width > 16 && size >= copy_in_blocks_from && copies_in_blocks())
        return copy_blocks<Sum>(src, dst, size, seed);
    return size < 2 * TotalAndHigh::block ? copy_long(src, dst, size, seed) : copy_pieces(src, dst, size, seed);
}

template <typename Sum, typename Short>
HWY_INLINE uint32_t sum_any(const void *data, size_t size, uint32_t seed) {
    const auto src = static_cast<const Byte *>(data);
    if (size - 1 < 64) return sum_short(src, size, seed);
    if (without_a_turn > 65 && size - 65 < without_a_turn - 64)
        return onesum_fold64(sum_unaligned<TotalAndHigh, false>(src, nullptr, size) + seed);
    if (size - 65 < sum_aligned_from - 65)
        return onesum_fold64(sum_unaligned<Short, false>(src, nullptr, size) + seed);
    if (size - 1 < 2 * Sum::block) return sum_long<Sum>(src, size, seed);
    return size == 0 ? seed : sum_blocks<Sum>(src, size, seed);
}

template <typename Sum>
HWY_INLINE uint32_t copy_any(void *to, const void *from, size_t size, uint32_t seed) {
    const auto src = static_cast<const Byte *>(from);
    const auto dst = static_cast<Byte *>(to);
    if (size - 1 < copy_short_to) return copy_short(src, dst, size, seed);
    if (without_a_turn > 65 && size - 65 < without_a_turn - 64)
        return onesum_fold64(sum_unaligned<TotalAndHigh, true>(src, dst, size) + seed);
    if (size - 1 < copy_aligned_from - 1)
        return onesum_fold64(sum_unaligned<CopiedTotalAndHigh, true>(src, dst, size) + seed);
    return size == 0 ? seed : copy_best<Sum>(src, dst, size, seed);
}

#if HWY_TARGET != HWY_SSSE3

constexpr size_t copy_segment_from = 256;

template <typename Sum, bool ahead>
HWY_INLINE uint32_t copy_any_segment(void *dst, const void *src, size_t size, uint32_t seed) {
    if (size - copy_segment_from >= copy_in_blocks_from - copy_segment_from)
        return copy_any<Sum>(dst, src, size, seed);
    return onesum_add(copy_segment<TotalAndHighBy<256 / width>, ahead>(static_cast<Byte *>(dst),
                                                                       static_cast<const Byte *>(src), size),
                      seed);
}

#endif

}  // namespace

// ---- The rows ----------------------------------------------------------------------------------------------

// A short call is a few lines of code, and each one more that it touches takes a cycle.
#define ONESUM_ROW [[gnu::aligned(64)]] uint32_t

extern "C" {

#if HWY_TARGET == HWY_SSSE3

ONESUM_ROW onesum_sum_ssse3(const void *data, size_t size, uint32_t seed) {
    return sum_any<MultiplyAndAdd, TotalAndHigh>(data, size, seed);
}
ONESUM_ROW onesum_copy_ssse3(void *dst, const void *src, size_t size, uint32_t seed) {
    return copy_any<MultiplyAndAdd>(dst, src, size, seed);
}

#elif HWY_TARGET == HWY_AVX2

ONESUM_ROW onesum_sum_avx2(const void *data, size_t size, uint32_t seed) {
    return sum_any<MultiplyAndAdd, MultiplyAndAdd>(data, size, seed);
}
ONESUM_ROW onesum_copy_avx2(void *dst, const void *src, size_t size, uint32_t seed) {
    return copy_any<MultiplyAndAdd>(dst, src, size, seed);
}

ONESUM_ROW onesum_copy_segment_avx2(void *dst, const void *src, size_t size, uint32_t seed) {
    return copy_any_segment<MultiplyAndAdd, false>(dst, src, size, seed);
}
ONESUM_ROW onesum_copy_segment_ahead_avx2(void *dst, const void *src, size_t size, uint32_t seed) {
    return copy_any_segment<MultiplyAndAdd, true>(dst, src, size, seed);
}

ONESUM_ROW onesum_sum_avx_vnni(const void *data, size_t size, uint32_t seed) {
    return sum_any<DotProduct, ShortDotProduct>(data, size, seed);
}
ONESUM_ROW onesum_copy_avx_vnni(void *dst, const void *src, size_t size, uint32_t seed) {
    return copy_any<DotProduct>(dst, src, size, seed);
}

#elif HWY_TARGET == HWY_AVX3

ONESUM_ROW onesum_sum_avx512_vnni(const void *data, size_t size, uint32_t seed) {
    return sum_any<DotProduct, ShortDotProduct>(data, size, seed);
}
ONESUM_ROW onesum_copy_avx512_vnni(void *dst, const void *src, size_t size, uint32_t seed) {
    return copy_any<DotProduct>(dst, src, size, seed);
}

ONESUM_ROW onesum_copy_segment_avx512(void *dst, const void *src, size_t size, uint32_t seed) {
    return copy_any_segment<MultiplyAndAdd, false>(dst, src, size, seed);
}
ONESUM_ROW onesum_copy_segment_ahead_avx512(void *dst, const void *src, size_t size, uint32_t seed) {
    return copy_any_segment<MultiplyAndAdd, true>(dst, src, size, seed);
}

ONESUM_ROW onesum_sum_avx512(const void *data, size_t size, uint32_t seed) {
    return sum_any<MultiplyAndAdd, TotalAndHigh>(data, size, seed);
}
ONESUM_ROW onesum_copy_avx512(void *dst, const void *src, size_t size, uint32_t seed) {
    return copy_any<MultiplyAndAdd>(dst, src, size, seed);
}

#endif
}

#undef ONESUM_ROW

}  // namespace onesum::highway::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#endif
