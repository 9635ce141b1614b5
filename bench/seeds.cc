// What the three seeds compare with, written anew from their descriptions. SPDX-License-Identifier: MIT
//
// Built with functions and loops on 64-byte lines, so that none of them loses by where it happens to lie.
#include <cstring>

#include "contestants.h"
#include "onesum/onesum.h"

namespace bench {

namespace {

template <typename Word>
Word load(const unsigned char *at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

// ---- xenvif_c: the C loop that the assembly of 2025 replaced: one 16-bit word a turn -----------------------

std::uint32_t xenvif_c(const void *data, std::size_t size, std::uint32_t seed) {
    const unsigned char *at = static_cast<const unsigned char *>(data);
    std::uint64_t sum = seed;
    for (; size >= 2; size -= 2, at += 2) {
        sum += load<std::uint16_t>(at);
        asm(""
            : "+r"(sum));  // stays a loop of single words: the compiler it was measured with makes no vectors
                           // of it
    }
    if (size) {
        const unsigned char last[2] = {*at, 0};
        sum += load<std::uint16_t>(last);
    }
    return onesum_fold64(sum);
}

// ---- arm64_old: memcpy, then a sum over aligned words, each pair of which is added with end-around carry
// ----------

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HAVE_ARM64_OLD

std::uint64_t end_around(std::uint64_t a, std::uint64_t b) {
    a += b;
    return a + (a < b);
}

// Two words.
std::uint64_t pair(const unsigned char *at) {
    return end_around(load<std::uint64_t>(at), load<std::uint64_t>(at + 8));
}

// Reads whole aligned words, so up to 7 bytes before and after the buffer, and masks those bytes off. An
// aligned word lies in one page.
__attribute__((no_sanitize("address"))) std::uint32_t arm64_sum(const void *data, std::size_t size,
                                                                std::uint32_t seed) {
    if (size == 0) return seed;
    const std::size_t before = reinterpret_cast<std::uintptr_t>(data) & 7;
    const unsigned char *at = static_cast<const unsigned char *>(data) - before;
    const std::size_t end = before + size;  // seen from `at`
    const unsigned after = static_cast<unsigned>(-end & 7);

    // `word` is the next one, as it may be the last.
    std::uint64_t sum = 0;
    std::uint64_t word = load<std::uint64_t>(at) >> 8 * before << 8 * before;
    std::size_t words = (end + 7) / 8 - 1;  // after it
    at += 8;
    for (; words > 8; words -= 8, at += 64)
        sum = end_around(
            sum, end_around(end_around(pair(at), pair(at + 16)), end_around(pair(at + 32), pair(at + 48))));
    for (; words > 2; words -= 2, at += 16) sum = end_around(sum, pair(at));
    for (; words > 0; --words, at += 8) {
        sum = end_around(sum, word);
        word = load<std::uint64_t>(at);
    }
    sum = end_around(sum, word << 8 * after >> 8 * after);
    return onesum_add(onesum_rotate(onesum_fold64(sum), before), seed);
}

std::uint32_t arm64_old(void *dst, const void *src, std::size_t size, std::uint32_t seed) {
    std::memcpy(dst, src, size);
    return arm64_sum(dst, size, seed);
}

#endif

// ---- x86-64: chains of add-with-carry ----------------------------------------------------------------------

#if defined(__x86_64__)

// One chain over 8, 16, 32, 40 or 64 bytes, its last carry added.
template <int size>
[[gnu::always_inline]] inline std::uint64_t chain(std::uint64_t sum, const unsigned char *at) {
    const auto &bytes = *reinterpret_cast<const unsigned char(*)[size]>(at);
    if constexpr (size == 8)
        asm("addq (%1), %0\n\tadcq $0, %0" : "+&r"(sum) : "r"(at), "m"(bytes) : "cc");
    else if constexpr (size == 16)
        asm("addq (%1), %0\n\tadcq 8(%1), %0\n\tadcq $0, %0" : "+&r"(sum) : "r"(at), "m"(bytes) : "cc");
    else if constexpr (size == 32)
        asm("addq (%1), %0\n\tadcq 8(%1), %0\n\tadcq 16(%1), %0\n\tadcq 24(%1), %0\n\tadcq $0, %0"
            : "+&r"(sum)
            : "r"(at), "m"(bytes)
            : "cc");
    else if constexpr (size == 40)
        asm("addq (%1), %0\n\tadcq 8(%1), %0\n\tadcq 16(%1), %0\n\tadcq 24(%1), %0\n\tadcq 32(%1), %0\n\t"
            "adcq $0, %0"
            : "+&r"(sum)
            : "r"(at), "m"(bytes)
            : "cc");
    else
        asm("addq (%1), %0\n\tadcq 8(%1), %0\n\tadcq 16(%1), %0\n\tadcq 24(%1), %0\n\tadcq 32(%1), %0\n\t"
            "adcq 40(%1), %0\n\tadcq 48(%1), %0\n\tadcq 56(%1), %0\n\tadcq $0, %0"
            : "+&r"(sum)
            : "r"(at), "m"(bytes)
            : "cc");
    return sum;
}

[[gnu::always_inline]] inline std::uint64_t add_carry(std::uint64_t sum, std::uint64_t word) {
    asm("addq %1, %0\n\tadcq $0, %0" : "+r"(sum) : "r"(word) : "cc");
    return sum;
}

// linux_old: aligns by 1, 2 and 4 bytes first, then blocks of 64 bytes, words of 8, and 4, 2 and 1; the bytes
// of the sum change places where the first byte had an odd address.
std::uint32_t linux_old(const void *data, std::size_t size, std::uint32_t seed) {
    const unsigned char *at = static_cast<const unsigned char *>(data);
    if (size == 0) return seed;
    std::uint64_t sum = 0;
    const bool odd = reinterpret_cast<std::uintptr_t>(at) & 1;
    if (odd) {
        sum = std::uint64_t{*at} << 8;
        ++at;
        --size;
    }
    if (size >= 2) {
        if (reinterpret_cast<std::uintptr_t>(at) & 2) {
            sum += load<std::uint16_t>(at);
            at += 2;
            size -= 2;
        }
        if (size >= 4) {
            if (reinterpret_cast<std::uintptr_t>(at) & 4) {
                sum += load<std::uint32_t>(at);
                at += 4;
                size -= 4;
            }
            for (std::size_t blocks = size / 64; blocks != 0; --blocks, at += 64) sum = chain<64>(sum, at);
            for (std::size_t words = size % 64 / 8; words != 0; --words, at += 8) sum = chain<8>(sum, at);
            sum = onesum_fold64(sum);
            if (size & 4) {
                sum += load<std::uint32_t>(at);
                at += 4;
            }
        }
        if (size & 2) {
            sum += load<std::uint16_t>(at);
            at += 2;
        }
    }
    if (size & 1) sum += *at;
    std::uint32_t folded = onesum_fold64(sum);
    if (odd) {
        folded = static_cast<std::uint16_t>(~onesum_fold(folded));
        folded = __builtin_bswap16(static_cast<std::uint16_t>(folded));
    }
    return onesum_add(folded, seed);
}

// The last 1 to 7 bytes as a word: 8 bytes that end with the buffer or begin where they begin, the others
// shifted out. Whichever of the two lies in one page is read; the kernel instead reads forward and mends a
// fault.
[[gnu::always_inline]] __attribute__((no_sanitize("address"))) inline std::uint64_t shifted_tail(
    const unsigned char *at, std::size_t size) {
    const unsigned out = 8 * (8 - static_cast<unsigned>(size));
    if ((reinterpret_cast<std::uintptr_t>(at) & 4095) <= 4096 - 8) [[likely]]
        return load<std::uint64_t>(at) << out >> out;
    return load<std::uint64_t>(at + size - 8) >> out;
}

// linux_now: two chains of 64 bytes side by side, then what is left by halves; 40 bytes first of all, for IPv6.
__attribute__((no_sanitize("address"))) std::uint32_t linux_now(const void *data, std::size_t size,
                                                                std::uint32_t seed) {
    const unsigned char *at = static_cast<const unsigned char *>(data);
    std::uint64_t sum = seed;
    if (size == 40) return onesum_fold64(chain<40>(sum, at));
    if (size >= 128) {
        std::uint64_t second = 0;
        do {
            sum = chain<64>(sum, at);
            second = chain<64>(second, at + 64);
            at += 128;
            size -= 128;
        } while (size >= 128);
        sum = add_carry(sum, second);
    }
    if (size & 64) {
        sum = chain<64>(sum, at);
        at += 64;
    }
    if (size & 32) {
        sum = chain<32>(sum, at);
        at += 32;
    }
    if (size & 16) {
        sum = chain<16>(sum, at);
        at += 16;
    }
    if (size & 8) {
        sum = chain<8>(sum, at);
        at += 8;
    }
    if (size & 7) sum = add_carry(sum, shifted_tail(at, size & 7));
    return onesum_fold64(sum);
}

// xenvif_asm: one chain; a loop over blocks of 64 bytes, then 32, 16, 8, 4, 2 and 1.
std::uint32_t xenvif_asm(const void *data, std::size_t size, std::uint32_t seed) {
    const unsigned char *at = static_cast<const unsigned char *>(data);
    std::uint64_t sum = seed;
    for (; size >= 64; size -= 64, at += 64) sum = chain<64>(sum, at);
    if (size & 32) {
        sum = chain<32>(sum, at);
        at += 32;
    }
    if (size & 16) {
        sum = chain<16>(sum, at);
        at += 16;
    }
    if (size & 8) {
        sum = chain<8>(sum, at);
        at += 8;
    }
    if (size & 4) {
        sum = add_carry(sum, load<std::uint32_t>(at));
        at += 4;
    }
    if (size & 2) {
        sum = add_carry(sum, load<std::uint16_t>(at));
        at += 2;
    }
    if (size & 1) sum = add_carry(sum, *at);
    return static_cast<std::uint16_t>(~onesum_fold(onesum_fold64(sum)));
}

#endif

template <SumFunction sum>
void add_sum(std::vector<Contestant> &list, const std::string &name) {
    list.push_back({"seed:" + name, sum, nullptr});
    list.push_back({"memcpy+seed:" + name, nullptr, copy_then_sum<sum>});
}

}  // namespace

std::vector<Contestant> seeds() {
    std::vector<Contestant> list;
#if defined(__x86_64__)
    add_sum<linux_old>(list, "linux_old");
    add_sum<linux_now>(list, "linux_now");
    add_sum<xenvif_asm>(list, "xenvif_asm");
#endif
    add_sum<xenvif_c>(list, "xenvif_c");
#if defined(HAVE_ARM64_OLD)
    list.push_back({"seed:arm64_old", nullptr, arm64_old});
#endif
    return list;
}

}  // namespace bench
