// The ceilings: load and clock. SPDX-License-Identifier: MIT
#include <cstring>

#include "bench.h"
#include "contestants.h"
#include "timing.h"

namespace bench {

namespace {

// General registers: loads of 8 bytes that nothing is done with. They are volatile: the compiler can leave none
// out.
std::uint32_t load_scalar(const void *data, std::size_t size, std::uint32_t seed) {
    const volatile std::uint64_t *at = static_cast<const volatile std::uint64_t *>(data);
    std::size_t words = (size + 7) / 8;
    for (; words >= 8; words -= 8, at += 8) {
        static_cast<void>(at[0]), static_cast<void>(at[1]), static_cast<void>(at[2]), static_cast<void>(at[3]);
        static_cast<void>(at[4]), static_cast<void>(at[5]), static_cast<void>(at[6]), static_cast<void>(at[7]);
    }
    for (; words != 0; --words, ++at) static_cast<void>(*at);
    return seed;
}

// Vectors: aligned loads over the lines that the buffer lies in, into eight accumulators in turn.
#define LOADS(name, Vector, attribute)                                                           \
    [[attribute]] std::uint32_t load_##name(const void *data, std::size_t size, std::uint32_t) { \
        const volatile Vector *at = static_cast<const volatile Vector *>(data);                  \
        Vector a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};                                           \
        std::size_t vectors = (size + sizeof(Vector) - 1) / sizeof(Vector);                      \
        for (; vectors >= 8; vectors -= 8, at += 8) {                                            \
            a |= at[0], b |= at[1], c |= at[2], d |= at[3];                                      \
            e |= at[4], f |= at[5], g |= at[6], h |= at[7];                                      \
        }                                                                                        \
        for (; vectors != 0; --vectors, ++at) a |= at[0];                                        \
        a |= b | c | d | e | f | g | h;                                                          \
        std::uint32_t some;                                                                      \
        std::memcpy(&some, &a, sizeof some);                                                     \
        return some;                                                                             \
    }

template <int size>
using VectorOf [[gnu::vector_size(size)]] = std::uint64_t;

#if defined(__x86_64__)
LOADS(sse2, VectorOf<16>, gnu::noinline)
LOADS(avx2, VectorOf<32>, gnu::target("avx2"))
LOADS(avx512, VectorOf<64>, gnu::target("avx512f"))
#elif defined(__aarch64__)
LOADS(neon, VectorOf<16>, gnu::noinline)
#endif
#undef LOADS

// Widest first.
std::vector<Contestant> loads() {
    using namespace onesum::dispatch;
    const Features have = probe();
    std::vector<Contestant> list;
#if defined(__x86_64__)
    if (have & feature::avx512f) list.push_back({"avx512", load_avx512, nullptr});
    if (have & feature::avx2) list.push_back({"avx2", load_avx2, nullptr});
    list.push_back({"sse2", load_sse2, nullptr});
#elif defined(__aarch64__)
    list.push_back({"neon", load_neon, nullptr});
#endif
    list.push_back({"scalar", load_scalar, nullptr});
    list.insert(list.begin(), {"auto", list[0].sum, nullptr});
    static_cast<void>(have);
    return list;
}

struct Load {
    SumFunction function;
    std::uint32_t operator()(const unsigned char *src, unsigned char *, std::size_t size,
                             std::uint32_t sum) const {
        return function(src, size, sum);
    }
};

// Dependent additions, one a cycle: the time of one is a cycle in nanoseconds. Of registers: an addition of a
// small constant takes no time at all on some cores.
void time_clock(benchmark::State &state) {
    constexpr int adds = 1000;
    std::uint64_t sum = 0;
    const std::uint64_t one = 1;
    while (state.KeepRunningBatch(adds)) {
#if defined(__x86_64__)
        asm volatile(".rept 1000\n\taddq %1, %0\n\t.endr" : "+r"(sum) : "r"(one) : "cc");
#elif defined(__aarch64__)
        asm volatile(".rept 1000\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(one));
#else
        for (int i = 0; i < adds; ++i) {
            sum += one;
            asm volatile("" : "+r"(sum));
        }
#endif
    }
    benchmark::DoNotOptimize(sum);
}

const Operation operation{[] {
    for (const Contestant &who : loads())
        for (const Case &which : cases())
            if (which.kind == Case::Kind::fixed && which.offset == 0 && !which.page_end)
                add("load", who.name, which.name,
                    [who, which, loop = loop_of("load", who.name)](benchmark::State &state) {
                        bool verified = true;  // no result
                        run(state, loop, Load{who.sum}, which, {false, false}, verified);
                    });
    add("clock", "scalar", "1", time_clock);
}};

}  // namespace

}  // namespace bench
