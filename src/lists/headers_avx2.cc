// Many IPv4 headers, eight at a time with AVX2. SPDX-License-Identifier: MIT
#include "lists/headers.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET [[gnu::target("avx2"), gnu::always_inline]] inline

namespace onesum::lists {

namespace {

// The first 16 bytes of a header, and the last 4 of its 20.
TARGET __m128i load16(const char *header) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(header)); }
TARGET int tail(const char *header) { return static_cast<int>(onesum_load32(header + 16)); }

TARGET __m256i join(const __m128i (&lane)[2]) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lane[0]), lane[1], 1);
}

// a < b in each 64 or 32 bits as unsigned numbers: all ones, which is -1, or 0.
TARGET __m256i below64(__m256i a, __m256i b) {
    const __m256i bias = _mm256_set1_epi64x(INT64_MIN);
    return _mm256_cmpgt_epi64(_mm256_xor_si256(b, bias), _mm256_xor_si256(a, bias));
}
TARGET __m256i below32(__m256i a, __m256i b) {
    const __m256i bias = _mm256_set1_epi32(INT32_MIN);
    return _mm256_cmpgt_epi32(_mm256_xor_si256(b, bias), _mm256_xor_si256(a, bias));
}

// The one's complement sum of two 64-bit words, folded to 32 bits in the upper half of the result: added to
// itself with its halves exchanged, a word has there the sum of both halves and the carry from below.
TARGET __m256i sum32(__m256i a, __m256i b) {
    const __m256i sum = _mm256_add_epi64(a, b);
    const __m256i whole = _mm256_sub_epi64(sum, below64(sum, a));
    return _mm256_add_epi64(whole, _mm256_shuffle_epi32(whole, 0b10'11'00'01));
}

// Lane i of a, b, c and d holds 16 bytes of header 4i, 4i + 1, 4i + 2 and 4i + 3.
template <typename Headers>
[[gnu::target("avx2")]] void eight_at_a_time(Headers headers, std::size_t count, Ask ask,
                                             std::uint16_t *answers) {
    // Where the right value of the field is asked for, it does not count: bytes 10 and 11 are the second word
    // of a header's upper 64 bits.
    const __m256i counted =
        _mm256_set1_epi64x(ask == Ask::check ? static_cast<long long>(0xffffffff0000ffff) : -1);
    const __m256i ihl = _mm256_set1_epi64x(0x0f), five = _mm256_set1_epi64x(5);

    std::size_t i = 0;
    for (; count - i >= 8; i += 8) {
        __m128i a[2], b[2], c[2], d[2], tails[2];
        for (std::size_t lane = 0; lane < 2; ++lane) {
            // One header after the other, so that each line is visited once.
            const char *at = headers[i + 4 * lane];
            a[lane] = load16(at);
            tails[lane] = _mm_cvtsi32_si128(tail(at));
            at = headers[i + 4 * lane + 1];
            b[lane] = load16(at);
            tails[lane] = _mm_insert_epi32(tails[lane], tail(at), 1);
            at = headers[i + 4 * lane + 2];
            c[lane] = load16(at);
            tails[lane] = _mm_insert_epi32(tails[lane], tail(at), 2);
            at = headers[i + 4 * lane + 3];
            d[lane] = load16(at);
            tails[lane] = _mm_insert_epi32(tails[lane], tail(at), 3);
        }
        const __m256i as = join(a), bs = join(b), cs = join(c), ds = join(d), last = join(tails);
        const __m256i even_low = _mm256_unpacklo_epi64(as, cs), odd_low = _mm256_unpacklo_epi64(bs, ds);
        const __m256i even_high = _mm256_and_si256(_mm256_unpackhi_epi64(as, cs), counted);
        const __m256i odd_high = _mm256_and_si256(_mm256_unpackhi_epi64(bs, ds), counted);

        // The IHLs' differences from 5, any of them.
        const __m256i options =
            _mm256_or_si256(_mm256_xor_si256(even_low, five), _mm256_xor_si256(odd_low, five));
        if (!_mm256_testz_si256(options, ihl)) [[unlikely]] {
            for (std::size_t j = i; j < i + 8; ++j) answers[j] = answer(headers[j], ask);
            continue;
        }

        // The sums of the even headers in the lower, of the odd ones in the upper halves; then the last 4 bytes
        // of each with end-around carry, and 16 bits of that.
        const __m256i first = _mm256_blend_epi32(_mm256_srli_epi64(sum32(even_low, even_high), 32),
                                                 sum32(odd_low, odd_high), 0b10101010);
        const __m256i sum = _mm256_add_epi32(first, last);
        const __m256i whole = _mm256_sub_epi32(sum, below32(sum, last));
        const __m256i turned = _mm256_or_si256(_mm256_slli_epi32(whole, 16), _mm256_srli_epi32(whole, 16));
        const __m256i folded = _mm256_srli_epi32(_mm256_add_epi32(whole, turned), 16);
        const __m128i words =
            _mm_packus_epi32(_mm256_castsi256_si128(folded), _mm256_extracti128_si256(folded, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(answers + i), _mm_xor_si128(words, _mm_set1_epi32(-1)));
    }
    for (; i < count; ++i) answers[i] = answer(headers[i], ask);
}

}  // namespace

void headers_avx2(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    eight_at_a_time(headers, count, ask, answers);
}
void headers_avx2(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    eight_at_a_time(headers, count, ask, answers);
}

}  // namespace onesum::lists

#endif
