// A kernel, and how one is chosen. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dispatch/cpu.h"

namespace onesum::dispatch {

// The contract of a kernel's two functions.
//
// sum(data, size, seed): adds `size` bytes as 16-bit words of native byte order, an odd last byte padded with a
// zero byte after it, to the seed. The result is congruent to the true sum modulo 0xffff, and 0 only if the
// seed and every byte are 0. Size 0 returns the seed itself and touches no memory. Reads exactly the buffer, at
// any alignment and of any size; a masked-off lane of a masking instruction is not read.
//
// copy(dst, src, size, seed): the same over `src`, and `dst` then holds the same bytes. Writes exactly `dst`.
// The two don't overlap.
using SumFunction = std::uint32_t (*)(const void *data, std::size_t size, std::uint32_t seed);
using CopyFunction = std::uint32_t (*)(void *dst, const void *src, std::size_t size, std::uint32_t seed);

struct Kernel {
    const char *name;
    const char *needs_text;  // `needs` as kernels.def spells it
    Features needs;
    SumFunction sum;
    CopyFunction copy;

    constexpr bool runs_on(Features have) const { return (needs & ~have) == 0; }
};

// This architecture's kernels, best first; the last one needs nothing.
extern const std::span<const Kernel> kernels;

// nullptr where there is none of that name.
constexpr const Kernel *find(std::span<const Kernel> rows, std::string_view name) {
    for (const Kernel &row : rows)
        if (row.name == name) return &row;
    return nullptr;
}

enum class Forced { none, active, unknown, unsupported };

struct Choice {
    const Kernel *kernel;
    Forced forced;
};

// The first of `rows` that runs on a CPU with the features `have`, or the one that is named `wanted` if it
// does. An empty name asks for none. The last of `rows` runs everywhere.
constexpr Choice choose(std::span<const Kernel> rows, Features have, std::string_view wanted) {
    Forced forced = Forced::none;
    if (!wanted.empty()) {
        const Kernel *named = find(rows, wanted);
        if (named && named->runs_on(have)) return {named, Forced::active};
        forced = named ? Forced::unsupported : Forced::unknown;
    }
    for (const Kernel &row : rows)
        if (row.runs_on(have)) return {&row, forced};
    return {&rows.back(), forced};
}

}  // namespace onesum::dispatch
