// Sums: partial, direct and latency. SPDX-License-Identifier: MIT
#include "bench.h"
#include "contestants.h"
#include "timing.h"

namespace bench {

namespace {

struct Sum {
    SumFunction function;
    std::uint32_t operator()(const unsigned char *src, unsigned char *, std::size_t size,
                             std::uint32_t sum) const {
        return function(src, size, sum);
    }
};

void add_sum(const char *operation, const Contestant &who, const Case &which) {
    if (!who.sum || !who.takes(which)) return;
    const std::size_t loop = loop_of(operation, who.name);
    add(operation, who.name, which.name, [who, which, loop, verified = false](benchmark::State &state) mutable {
        onesum_select(who.select);
        run(state, loop, Sum{who.sum}, which, {who.works, false}, verified);
    });
}

// Each call's address and seed hang on the result of the call before. `zero` is 0, which the compiler can't
// know.
[[gnu::noinline]] void time_chain(benchmark::State &state, SumFunction function, const Piece piece,
                                  std::uint32_t zero) {
    std::uint32_t sum = seed;
    for (auto _ : state) sum = function(piece.src + (sum & zero), piece.size, sum);
    benchmark::DoNotOptimize(sum);
}

void add_latency(const Contestant &who, const Case &which) {
    if (!who.sum) return;
    add("latency", who.name, which.name, [who, which, verified = false](benchmark::State &state) mutable {
        onesum_select(who.select);
        verified = verified || verify(Sum{who.sum}, which, {who.works, false});
        if (!verified) return state.SkipWithError("wrong on this data");
        std::uint32_t zero = 0;
        benchmark::DoNotOptimize(zero);
        time_chain(state, who.sum, which.fixed(), zero);
    });
}

const Operation operation{[] {
    for (const Contestant &who : everybody()) {
        for (const Case &which : cases()) add_sum("partial", who, which);
        for (const Case &which : aligned({8, 20, 40, 64, 128, 256, 576, 1500})) add_latency(who, which);
    }
    for (const Contestant &who : kernels())
        for (const Case &which : aligned({8, 20, 40, 64, 128, 256, 576, 1500})) add_sum("direct", who, which);
}};

}  // namespace

}  // namespace bench
