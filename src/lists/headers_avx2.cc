// Many IPv4 headers, eight at a time with AVX2. SPDX-License-Identifier: MIT
#if defined(__x86_64__)

#include "lists/headers_x86.h"

#define TARGET [[gnu::target("avx2"), gnu::always_inline]] inline

namespace onesum::lists {

namespace {

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

template <typename Headers>
[[gnu::target("avx2")]] void eight_at_a_time(Headers headers, std::size_t count, Ask ask,
                                             std::uint16_t *answers) {
    const __m256i mask = _mm256_set1_epi64x(static_cast<long long>(counted(ask)));
    const __m256i ihl = _mm256_set1_epi64x(0x0f), five = _mm256_set1_epi64x(5);

    std::size_t i = 0;
    for (; count - i >= 8; i += 8) {
        const Loaded<2> loaded = load<2>(headers.from(i));
        const __m256i last = join(loaded.last);
        const __m256i zeroth = join(loaded.first[0]), first = join(loaded.first[1]);
        const __m256i second = join(loaded.first[2]), third = join(loaded.first[3]);
        const __m256i even_low = _mm256_unpacklo_epi64(zeroth, second);
        const __m256i odd_low = _mm256_unpacklo_epi64(first, third);
        const __m256i even_high = _mm256_and_si256(_mm256_unpackhi_epi64(zeroth, second), mask);
        const __m256i odd_high = _mm256_and_si256(_mm256_unpackhi_epi64(first, third), mask);

        // Differences of an IHL from 5, in one of the two or the other.
        const __m256i options =
            _mm256_or_si256(_mm256_xor_si256(even_low, five), _mm256_xor_si256(odd_low, five));
        if (!_mm256_testz_si256(options, ihl)) [[unlikely]] {
            for (std::size_t j = i; j < i + 8; ++j) answers[j] = answer(headers[j], ask);
            continue;
        }

        // The sums of the even headers in the lower, of the odd ones in the upper halves; then the last 4 bytes
        // of each with end-around carry, and 16 bits of that.
        const __m256i most = _mm256_blend_epi32(_mm256_srli_epi64(sum32(even_low, even_high), 32),
                                                sum32(odd_low, odd_high), 0b10101010);
        const __m256i sum = _mm256_add_epi32(most, last);
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
