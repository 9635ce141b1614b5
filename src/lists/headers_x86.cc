// Many IPv4 headers, folded with AVX-512 and AVX2. SPDX-License-Identifier: MIT
#if defined(__x86_64__)

#if defined(__clang__)
#include <immintrin.h>
#else
// gcc 12 warns of the undefined vectors that its own header begins some results with.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#include "lists/blocks.h"

#define AVX512 [[gnu::target("avx512f,avx512bw,avx512vl")]]
#define AVX2 [[gnu::target("avx2")]]

namespace onesum::lists {

namespace {

static_assert(block == 16);

// Added to itself with its halves exchanged, a sum has in its upper half the sum of both and the carry from
// below. With 64 bits, then with 32, and the checksum's complement is in the upper 16 of these.

AVX512 inline __m512 halved_avx512(const std::uint64_t *sums) {
    __m512i whole = _mm512_load_si512(sums);
    asm("" : "+v"(whole));  // else gcc loads it twice
    return _mm512_castsi512_ps(_mm512_add_epi64(whole, _mm512_ror_epi64(whole, 32)));
}

AVX2 inline __m256 halved_avx2(const std::uint64_t *sums) {
    __m256i whole = _mm256_load_si256(reinterpret_cast<const __m256i *>(sums));
    asm("" : "+x"(whole));  // else gcc loads it twice
    return _mm256_castsi256_ps(_mm256_add_epi64(whole, _mm256_shuffle_epi32(whole, 0b10'11'00'01)));
}

// Of eight sums: in each half those of two, and of the two four further on.
AVX2 inline __m256i folded_avx2(const std::uint64_t *sums) {
    const __m256i half =
        _mm256_castps_si256(_mm256_shuffle_ps(halved_avx2(sums), halved_avx2(sums + 4), 0b11'01'11'01));
    const __m256i turned = _mm256_or_si256(_mm256_slli_epi32(half, 16), _mm256_srli_epi32(half, 16));
    return _mm256_srli_epi32(_mm256_add_epi32(half, turned), 16);
}

struct FoldAvx512 {
    __m256i all;

    AVX512 FoldAvx512() : all(_mm256_setzero_si256()) {}

    AVX512 void operator()(const std::uint64_t *sums, std::uint16_t *checks) {
        // In each quarter the halves of two sums, and of the two eight further on.
        const __m512i half =
            _mm512_castps_si512(_mm512_shuffle_ps(halved_avx512(sums), halved_avx512(sums + 8), 0b11'01'11'01));
        const __m512i folded = _mm512_add_epi32(half, _mm512_ror_epi32(half, 16));
        // The upper words of the first two in each quarter, then of the others, and then whatever.
        const __m512i in_order = _mm512_castsi256_si512(
            _mm256_setr_epi16(1, 3, 9, 11, 17, 19, 25, 27, 5, 7, 13, 15, 21, 23, 29, 31));
        const __m256i words = _mm512_castsi512_si256(_mm512_permutexvar_epi16(in_order, folded));
        const __m256i check = _mm256_xor_si256(words, _mm256_set1_epi32(-1));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(checks), check);
        all = _mm256_or_si256(all, check);
    }
    AVX512 bool any() const { return !_mm256_testz_si256(all, all); }

    template <Ask ask, typename Headers>
    AVX512 [[gnu::flatten, gnu::noinline]] static bool ask_plain(Headers headers, std::size_t blocks,
                                                                 std::uint16_t *answers, std::size_t &done) {
        return lists::ask_plain<ask, FoldAvx512>(headers, blocks, answers, done);
    }
};

struct FoldAvx2 {
    __m256i all;

    AVX2 FoldAvx2() : all(_mm256_setzero_si256()) {}

    AVX2 void operator()(const std::uint64_t *sums, std::uint16_t *checks) {
        const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        const __m256i words = _mm256_packus_epi32(folded_avx2(sums), folded_avx2(sums + 8));
        const __m256i check =
            _mm256_xor_si256(_mm256_permutevar8x32_epi32(words, in_order), _mm256_set1_epi32(-1));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(checks), check);
        all = _mm256_or_si256(all, check);
    }
    AVX2 bool any() const { return !_mm256_testz_si256(all, all); }

    template <Ask ask, typename Headers>
    AVX2 [[gnu::flatten, gnu::noinline]] static bool ask_plain(Headers headers, std::size_t blocks,
                                                               std::uint16_t *answers, std::size_t &done) {
        return lists::ask_plain<ask, FoldAvx2>(headers, blocks, answers, done);
    }
};

}  // namespace

std::size_t headers_avx512(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    return ask_pointers<FoldAvx512>(headers, count, ask, answers);
}
std::size_t headers_avx512(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    return ask_stride<FoldAvx512>(headers, count, ask, answers);
}
std::size_t headers_avx2(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    return ask_pointers<FoldAvx2>(headers, count, ask, answers);
}
std::size_t headers_avx2(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    return ask_stride<FoldAvx2>(headers, count, ask, answers);
}

}  // namespace onesum::lists

#endif
