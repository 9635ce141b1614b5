// Many IPv4 headers, sixteen at a time with AVX-512. SPDX-License-Identifier: MIT
#if defined(__x86_64__)

#include "lists/headers_x86.h"

#define TARGET [[gnu::target("avx512f,avx512bw,avx512vl"), gnu::always_inline]] inline

namespace onesum::lists {

namespace {

TARGET __m512i join(const __m128i (&lane)[4]) {
    return _mm512_inserti64x4(
        _mm512_castsi256_si512(_mm256_inserti128_si256(_mm256_castsi128_si256(lane[0]), lane[1], 1)),
        _mm256_inserti128_si256(_mm256_castsi128_si256(lane[2]), lane[3], 1), 1);
}

// The one's complement sum of two 64-bit words, folded to 32 bits in the upper half of the result: added to
// itself with its halves exchanged, a word has there the sum of both halves and the carry from below.
TARGET __m512i sum32(__m512i a, __m512i b) {
    const __m512i sum = _mm512_add_epi64(a, b);
    const __mmask8 carry = _mm512_cmplt_epu64_mask(sum, a);
    const __m512i whole = _mm512_mask_sub_epi64(sum, carry, sum, _mm512_set1_epi64(-1));
    return _mm512_add_epi64(whole, _mm512_ror_epi64(whole, 32));
}

template <typename Headers>
[[gnu::target("avx512f,avx512bw,avx512vl")]] void sixteen_at_a_time(Headers headers, std::size_t count, Ask ask,
                                                                    std::uint16_t *answers) {
    const __m512i mask = _mm512_set1_epi64(static_cast<long long>(counted(ask)));
    const __m512i ihl = _mm512_set1_epi64(0x0f), five = _mm512_set1_epi64(5);
    // The upper word of each 32 bits, in order, and then whatever.
    const __m512i upper_words =
        _mm512_castsi256_si512(_mm256_setr_epi16(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31));

    std::size_t i = 0;
    for (; count - i >= 16; i += 16) {
        const Loaded<4> loaded = load<4>(headers.from(i));
        const __m512i last = join(loaded.last);
        const __m512i zeroth = join(loaded.first[0]), first = join(loaded.first[1]);
        const __m512i second = join(loaded.first[2]), third = join(loaded.first[3]);
        const __m512i even_low = _mm512_unpacklo_epi64(zeroth, second);
        const __m512i odd_low = _mm512_unpacklo_epi64(first, third);
        const __m512i even_high = _mm512_and_si512(_mm512_unpackhi_epi64(zeroth, second), mask);
        const __m512i odd_high = _mm512_and_si512(_mm512_unpackhi_epi64(first, third), mask);

        // Differences of an IHL from 5, in one of the two or the other.
        const __m512i options = _mm512_ternarylogic_epi64(even_low, odd_low, five, 0x7e);
        if (_mm512_test_epi64_mask(options, ihl) != 0) [[unlikely]] {
            for (std::size_t j = i; j < i + 16; ++j) answers[j] = answer(headers[j], ask);
            continue;
        }

        // The sums of the even headers in the lower, of the odd ones in the upper halves; then the last 4 bytes
        // of each with end-around carry, and 16 bits of that in the upper words.
        const __m512i most = _mm512_mask_shuffle_epi32(sum32(odd_low, odd_high), 0x5555,
                                                       sum32(even_low, even_high), _MM_PERM_DDBB);
        const __m512i sum = _mm512_add_epi32(most, last);
        const __mmask16 carry = _mm512_cmplt_epu32_mask(sum, last);
        const __m512i whole = _mm512_mask_sub_epi32(sum, carry, sum, _mm512_set1_epi32(-1));
        const __m512i folded = _mm512_add_epi32(whole, _mm512_ror_epi32(whole, 16));
        const __m256i words = _mm512_castsi512_si256(_mm512_permutexvar_epi16(upper_words, folded));
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(answers + i),
                            _mm256_xor_si256(words, _mm256_set1_epi32(-1)));
    }
    for (; i < count; ++i) answers[i] = answer(headers[i], ask);
}

}  // namespace

void headers_avx512(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    sixteen_at_a_time(headers, count, ask, answers);
}
void headers_avx512(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    sixteen_at_a_time(headers, count, ask, answers);
}

}  // namespace onesum::lists

#endif
