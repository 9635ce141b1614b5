// Loading IPv4 headers into vectors, for the methods of x86-64. SPDX-License-Identifier: MIT
#pragma once

#include "lists/headers.h"

#if defined(__clang__)
#include <immintrin.h>
#else
// gcc 12 warns of the undefined vectors that its own header begins some results with.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace onesum::lists {

// 4 * lanes headers: lane i of first[j] holds the first 16 bytes of header 4i + j, word j of lane i of `last`
// the last 4 of its 20.
template <std::size_t lanes>
struct Loaded {
    __m128i first[4][lanes];
    __m128i last[lanes];
};

template <std::size_t lanes, typename Headers>
[[gnu::target("sse4.1"), gnu::always_inline]] inline Loaded<lanes> load(Headers headers) {
    const auto first = [](const char *header) { return reinterpret_cast<const __m128i *>(header); };
    const auto last = [](const char *header) { return static_cast<int>(onesum_load32(header + 16)); };
    Loaded<lanes> loaded;
    for (std::size_t lane = 0; lane < lanes; ++lane, headers = headers.from(4)) {
        for (std::size_t j = 0; j < 4; ++j) loaded.first[j][lane] = _mm_loadu_si128(first(headers[j]));
        __m128i tails = _mm_cvtsi32_si128(last(headers[0]));
        tails = _mm_insert_epi32(tails, last(headers[1]), 1);
        tails = _mm_insert_epi32(tails, last(headers[2]), 2);
        loaded.last[lane] = _mm_insert_epi32(tails, last(headers[3]), 3);
    }
    return loaded;
}

}  // namespace onesum::lists
