// Verifying a contestant on a case, then timing it there. SPDX-License-Identifier: MIT
//
// A call is any callable (src, dst, size, seed) that returns a partial sum. All contestants of an operation are
// pointers to functions behind the same callable type, so that the same code times them. But each has a loop of
// its own: a processor predicts a call that always goes to one place faster than one that has gone to several
// (Zen 4: by two cycles), and which of the two a shared loop were would change in the middle of a run.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cases.h"
#include "onesum/onesum.h"

namespace bench {

// What of a call's work can be wrong.
struct Checks {
    bool sum, copy;
};

template <typename Call>
bool right(const Call &call, const Piece &piece, std::uint16_t expected, Checks checks) {
    if (checks.copy) std::memset(piece.dst, 0xa5, piece.size);
    const std::uint32_t sum = call(piece.src, piece.dst, piece.size, seed);
    if (checks.sum && onesum_fold(sum) != expected) return false;
    return !checks.copy || std::memcmp(piece.dst, piece.src, piece.size) == 0;
}

// Whether a contestant is right on all the bytes that the case times it with.
template <typename Call>
bool verify(const Call &call, const Case &which, Checks checks) {
    const std::vector<std::uint16_t> &sums = expected(which);
    switch (which.kind) {
        case Case::Kind::fixed:
            return right(call, which.fixed(), sums[0], checks);
        case Case::Kind::mix: {
            const Mix &mix = mix_of(which);
            for (std::size_t i = 0; i < draw_count; ++i) {
                const Draw &d = mix.draws[i];
                if (!right(call, {mix.src + d.src, mix.dst + d.dst, d.size}, sums[i], checks)) return false;
            }
            return true;
        }
        case Case::Kind::cold: {
            const Cold cold = cold_of(which);
            for (std::size_t i = 0; i < sums.size(); ++i)
                if (!right(call, {cold.src + i * cold.slot, cold.dst + i * cold.slot, which.size}, sums[i],
                           checks))
                    return false;
            return true;
        }
    }
    return false;
}

// How many loops there are, and the one of a contestant in an operation; more would share them.
inline constexpr std::size_t loop_count = 64;
std::size_t loop_of(const std::string &operation, const std::string &implementation);

// Keeps a compiler from making one loop of all of them.
template <std::size_t loop>
void mark_loop() {
    asm volatile("" : : "i"(loop));
}

template <std::size_t loop, typename Call>
[[gnu::noinline]] void time_fixed(benchmark::State &state, const Call call, const Piece piece) {
    mark_loop<loop>();
    // In registers, or each turn would load them anew from the stack, behind the stores of the call before.
    const unsigned char *src = piece.src;
    unsigned char *dst = piece.dst;
    std::size_t size = piece.size;
    asm("" : "+r"(src), "+r"(dst), "+r"(size));
    for (auto _ : state) benchmark::DoNotOptimize(call(src, dst, size, seed));
}

template <std::size_t loop, typename Call>
[[gnu::noinline]] void time_mix(benchmark::State &state, const Call call, const Mix &mix) {
    mark_loop<loop>();
    const Draw *draws = mix.draws.data();
    const unsigned char *src = mix.src;
    unsigned char *dst = mix.dst;
    std::size_t i = 0;
    for (auto _ : state) {
        const Draw d = draws[i];
        i = (i + 1) % draw_count;
        benchmark::DoNotOptimize(call(src + d.src, dst + d.dst, d.size, seed));
    }
}

template <typename Call>
[[gnu::noinline]] void time_cold(benchmark::State &state, const Call call, const Cold cold, std::size_t size) {
    // Goes on where the last run stopped: what that one left in the cache is not what this one visits first.
    static std::uint32_t at = 0;
    std::uint32_t next = at;
    for (auto _ : state) {
        next = Cold::next(next);
        const std::size_t offset = cold.offset(next);
        benchmark::DoNotOptimize(call(cold.src + offset, cold.dst + offset, size, seed));
    }
    at = next;
}

template <std::size_t loop, typename Call>
void time(benchmark::State &state, const Call &call, const Case &which) {
    double bytes = static_cast<double>(which.size);
    switch (which.kind) {
        case Case::Kind::fixed:
            time_fixed<loop>(state, call, which.fixed());
            break;
        case Case::Kind::mix:
            bytes = mix_of(which).mean_size;
            time_mix<loop>(state, call, mix_of(which));
            break;
        case Case::Kind::cold:
            time_cold(state, call, cold_of(which), which.size);
            break;
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes * static_cast<double>(state.iterations())));
}

// Verifies (where `verified` does not yet say so), then times.
template <typename Call>
void run(benchmark::State &state, std::size_t loop, const Call &call, const Case &which, Checks checks,
         bool &verified) {
    verified = verified || verify(call, which, checks);
    if (!verified) {
        state.SkipWithError("wrong on this data");
        return;
    }
    static constexpr auto loops = []<std::size_t... i>(std::index_sequence<i...>) {
        return std::array{time<i, Call>...};
    }
    (std::make_index_sequence<loop_count>());
    loops[loop](state, call, which);
}

}  // namespace bench
