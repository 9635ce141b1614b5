// Fixed-size headers, summed inline: header, and their latency. SPDX-License-Identifier: MIT
//
// The cases are 20 (an IPv4 header), 12 (the pseudo-header of IPv4) and 40 (that of IPv6, as long as an IPv6
// header), and `nat`, a checksum updated for a new address and port. Each of the sums is compared with a chain
// of add-with-carry written out for that size, as Linux has it inline for x86-64.
#include <cstring>
#include <type_traits>

#include "bench.h"
#include "timing.h"

namespace bench {

namespace {

using Bytes = const unsigned char *;

// Each takes the addresses, or the whole header, at `at`, and adds to `sum`.

struct Inline20 {
    static constexpr int size = 20;
    // The header's checksum has no seed: it is added to the result, which the chain of latencies hangs on.
    std::uint32_t operator()(Bytes at, std::uint32_t sum) const { return sum + onesum_ipv4_header(at, 5); }
};
struct Inline12 {
    static constexpr int size = 12;
    std::uint32_t operator()(Bytes at, std::uint32_t sum) const {
        return onesum_pseudo_ipv4(at, at + 4, 1480, 6, sum);
    }
};
struct Inline40 {
    static constexpr int size = 40;
    std::uint32_t operator()(Bytes at, std::uint32_t sum) const {
        return onesum_pseudo_ipv6(at, at + 16, 1460, 6, sum);
    }
};

#if defined(__x86_64__)

// 32-bit words, as the kernel sums an IPv4 header.
struct Linux20 {
    static constexpr int size = 20;
    std::uint32_t operator()(Bytes at, std::uint32_t sum) const {
        std::uint32_t words;
        asm("movl (%1), %0\n\taddl 4(%1), %0\n\tadcl 8(%1), %0\n\tadcl 12(%1), %0\n\tadcl 16(%1), %0\n\tadcl "
            "$0, %0"
            : "=&r"(words)
            : "r"(at), "m"(*reinterpret_cast<const unsigned char(*)[20]>(at))
            : "cc");
        return sum + onesum_fold(words);
    }
};
struct Linux12 {
    static constexpr int size = 12;
    std::uint32_t operator()(Bytes at, std::uint32_t sum) const {
        asm("addl (%1), %0\n\tadcl 4(%1), %0\n\tadcl %2, %0\n\tadcl $0, %0"
            : "+&r"(sum)
            : "r"(at), "r"((1480u + 6u) << 8), "m"(*reinterpret_cast<const unsigned char(*)[8]>(at))
            : "cc");
        return sum;
    }
};
struct Linux40 {
    static constexpr int size = 40;
    std::uint32_t operator()(Bytes at, std::uint32_t sum) const {
        std::uint64_t words = __builtin_bswap32(1460) + std::uint64_t{__builtin_bswap32(6)} + sum;
        asm("addq (%1), %0\n\tadcq 8(%1), %0\n\tadcq 16(%1), %0\n\tadcq 24(%1), %0\n\tadcq $0, %0"
            : "+&r"(words)
            : "r"(at), "m"(*reinterpret_cast<const unsigned char(*)[32]>(at))
            : "cc");
        return onesum_fold64(words);
    }
};

#endif

// An empty sum: what the loop and the result cost.
struct Null {
    static constexpr int size = 20;
    std::uint32_t operator()(Bytes, std::uint32_t sum) const { return sum; }
};

// A new IPv4 address and port under a stored UDP checksum, one after the other.
[[gnu::noinline]] void time_translation(benchmark::State &state, Bytes at) {
    const onesum_change changes[] = {{at, at + 8, 4, 0}, {at + 4, at + 12, 2, 0}};
    std::uint16_t check = 0x1234;
    for (auto _ : state) {
        benchmark::DoNotOptimize(at);
        benchmark::DoNotOptimize(check = onesum_replace_udp(check, changes, 2));
    }
}

// What `size` stands for in bytes that a kernel could sum.
std::uint32_t by_definition(int size, Bytes at, std::uint32_t sum) {
    unsigned char bytes[40] = {};
    std::memcpy(bytes, at, static_cast<std::size_t>(size == 12 ? 8 : size == 40 ? 32 : 20));
    const unsigned length = size == 12 ? 1480 : 1460;
    if (size == 12) {
        bytes[9] = 6;
        bytes[10] = length >> 8;
        bytes[11] = length & 0xff;
    } else if (size == 40) {
        bytes[34] = length >> 8;
        bytes[35] = length & 0xff;
        bytes[39] = 6;
    }
    std::uint64_t words = size == 20 ? 0 : sum;
    for (int i = 0; i < size; i += 2) {
        std::uint16_t word;
        std::memcpy(&word, bytes + i, 2);
        words += word;
    }
    const std::uint16_t check = onesum_fold(onesum_fold64(words));
    return size == 20 ? sum + check : check;
}

template <typename Header>
bool verify(Bytes at) {
    for (std::uint32_t sum : {0u, 0x1234u, 0xffffffffu}) {
        const std::uint32_t got = Header{}(at, sum), due = by_definition(Header::size, at, sum);
        if ((Header::size == 20 ? got : onesum_fold(got)) != due) return false;
    }
    return true;
}

template <typename Header>
[[gnu::noinline]] void time_header(benchmark::State &state, Bytes at) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(at);  // another header, for all the compiler knows
        benchmark::DoNotOptimize(Header{}(at, seed));
    }
}

template <typename Header>
[[gnu::noinline]] void time_chain(benchmark::State &state, Bytes at, std::uint32_t zero) {
    std::uint32_t sum = seed;
    for (auto _ : state) {
        sum = Header{}(at + (sum & zero), sum);
        benchmark::DoNotOptimize(sum);
    }
}

template <typename Header>
void add_header(const char *implementation) {
    const Case which = aligned({Header::size})[0];
    constexpr bool works = !std::is_same_v<Header, Null>;
    add("header", implementation, which.name, [which](benchmark::State &state) {
        if (works && !verify<Header>(which.fixed().src)) return state.SkipWithError("wrong on this data");
        time_header<Header>(state, which.fixed().src);
    });
    if (works)
        add("latency", implementation, which.name, [which](benchmark::State &state) {
            std::uint32_t zero = 0;
            benchmark::DoNotOptimize(zero);
            time_chain<Header>(state, which.fixed().src, zero);
        });
}

const Operation operation{[] {
    add_header<Inline20>("inline");
    add_header<Inline12>("inline");
    add_header<Inline40>("inline");
#if defined(__x86_64__)
    add_header<Linux20>("seed:linux_header");
    add_header<Linux12>("seed:linux_header");
    add_header<Linux40>("seed:linux_header");
#endif
    add_header<Null>("null");
    add("header", "inline", "nat",
        [which = aligned({20})[0]](benchmark::State &state) { time_translation(state, which.fixed().src); });
}};

}  // namespace

}  // namespace bench
