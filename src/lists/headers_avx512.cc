// Many IPv4 headers, sixteen at a time with AVX-512. SPDX-License-Identifier: MIT
#include "lists/headers.h"

#if defined(__x86_64__)

// gcc 12 warns of the undefined vectors that its own header begins some results with.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

#define TARGET [[gnu::target("avx512f,avx512bw,avx512vl"), gnu::always_inline]] inline

namespace onesum::lists {

namespace {

// The first 16 bytes of a header, and the last 4 of its 20.
TARGET __m128i load16(const char *header) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(header)); }
TARGET int tail(const char *header) { return static_cast<int>(onesum_load32(header + 16)); }

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

// Lane i of a, b, c and d holds 16 bytes of header 4i, 4i + 1, 4i + 2 and 4i + 3.
template <typename Headers>
[[gnu::target("avx512f,avx512bw,avx512vl")]] void sixteen_at_a_time(Headers headers, std::size_t count, Ask ask,
                                                                    std::uint16_t *answers) {
    // Where the right value of the field is asked for, it does not count: bytes 10 and 11 are the second word
    // of a header's upper 64 bits.
    const __m512i counted =
        _mm512_set1_epi64(ask == Ask::check ? static_cast<long long>(0xffffffff0000ffff) : -1);
    const __m512i ihl = _mm512_set1_epi64(0x0f), five = _mm512_set1_epi64(5);
    // The upper word of each 32 bits, in order, and then whatever.
    const __m512i upper_words =
        _mm512_castsi256_si512(_mm256_setr_epi16(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31));

    std::size_t i = 0;
    for (; count - i >= 16; i += 16) {
        __m128i a[4], b[4], c[4], d[4], tails[4];
        for (std::size_t lane = 0; lane < 4; ++lane) {
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
        const __m512i as = join(a), bs = join(b), cs = join(c), ds = join(d), last = join(tails);
        const __m512i even_low = _mm512_unpacklo_epi64(as, cs), odd_low = _mm512_unpacklo_epi64(bs, ds);
        const __m512i even_high = _mm512_and_si512(_mm512_unpackhi_epi64(as, cs), counted);
        const __m512i odd_high = _mm512_and_si512(_mm512_unpackhi_epi64(bs, ds), counted);

        const __mmask8 even_options = _mm512_cmpneq_epi64_mask(_mm512_and_si512(even_low, ihl), five);
        const __mmask8 odd_options = _mm512_cmpneq_epi64_mask(_mm512_and_si512(odd_low, ihl), five);
        if (even_options | odd_options) [[unlikely]] {
            for (std::size_t j = i; j < i + 16; ++j) answers[j] = answer(headers[j], ask);
            continue;
        }

        // The sums of the even headers in the lower, of the odd ones in the upper halves; then the last 4 bytes
        // of each with end-around carry, and 16 bits of that in the upper words.
        const __m512i first = _mm512_mask_shuffle_epi32(sum32(odd_low, odd_high), 0x5555,
                                                        sum32(even_low, even_high), _MM_PERM_DDBB);
        const __m512i sum = _mm512_add_epi32(first, last);
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
