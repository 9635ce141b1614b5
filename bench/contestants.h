// Who takes part. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cases.h"
#include "dispatch/kernel.h"

namespace bench {

using onesum::dispatch::CopyFunction;
using onesum::dispatch::SumFunction;

// A function that sums, one that copies and sums, or both; the other is null.
struct Contestant {
    std::string name;
    SumFunction sum;
    CopyFunction copy;
    std::size_t longest = SIZE_MAX;  // it takes no more bytes than that
    const char *select = nullptr;    // what onesum_select() is told before; null: the automatic choice
    bool works = true;               // false: it does nothing, and nothing is verified
    bool reads_past = false;         // it reads bytes after the buffer: not where they are unreadable

    bool takes(const Case &which) const { return which.size <= longest && !(reads_past && which.page_end); }
};

// The library through its public functions: auto, then each implementation that this CPU can run.
std::vector<Contestant> library();
// Its kernels without the dispatch, the one that `auto` comes to first under that name.
std::vector<Contestant> kernels();
// Re-creations of what the three seeds compare with. Each that sums also comes as memcpy+seed:NAME.
std::vector<Contestant> seeds();
// Other projects found when the build was configured. Each also comes as memcpy+peer:NAME.
std::vector<Contestant> peers();
// An empty function.
Contestant null();

// The library, the amalgamation, the seeds, the peers and null, in that order.
std::vector<Contestant> everybody();

// memcpy, then the sum of what has been copied.
template <SumFunction sum>
std::uint32_t copy_then_sum(void *dst, const void *src, std::size_t size, std::uint32_t seed) {
    __builtin_memcpy(dst, src, size);
    return sum(dst, size, seed);
}

}  // namespace bench
