// The library's side of who takes part. SPDX-License-Identifier: MIT
#include "contestants.h"

#include <atomic>
#include <utility>

#include "onesum/onesum.h"
#include "peers/peer.h"

extern "C" {
std::uint32_t amalgamation_partial(const void *data, std::size_t size, std::uint32_t sum);
std::uint32_t amalgamation_copy(void *dst, const void *src, std::size_t size, std::uint32_t sum);
}

namespace bench {

namespace {

using onesum::dispatch::Kernel;

// A forced row as a user gets it who forces no other: as onesum_partial() and onesum_copy() do it, but with a
// pointer and a jump of its own. In the library's, a processor would see a jump to many places, which it
// predicts later than a jump to one (Zen 4: by four cycles), and `auto` would pay for that.
template <std::size_t row>
struct Forced {
    static inline std::atomic<const Kernel *> active;
    static std::uint32_t sum(const void *data, std::size_t size, std::uint32_t seed) {
        return active.load(std::memory_order_acquire)->sum(data, size, seed);
    }
    static std::uint32_t copy(void *dst, const void *src, std::size_t size, std::uint32_t seed) {
        return active.load(std::memory_order_acquire)->copy(dst, src, size, seed);
    }
    static void add(std::vector<Contestant> &list) {
        if (row >= onesum::dispatch::kernels.size()) return;
        const Kernel &kernel = onesum::dispatch::kernels[row];
        if (!kernel.runs_on(onesum::dispatch::probe())) return;
        active = &kernel;
        list.push_back({kernel.name, sum, copy, SIZE_MAX, kernel.name});
    }
};

constexpr std::size_t most_rows = 16;

std::uint32_t sum_nothing(const void *, std::size_t, std::uint32_t seed) { return seed; }
std::uint32_t copy_nothing(void *, const void *, std::size_t, std::uint32_t seed) { return seed; }

std::vector<Contestant> &found() {
    static std::vector<Contestant> list;
    return list;
}

}  // namespace

std::vector<Contestant> library() {
    std::vector<Contestant> list{{"auto", onesum_partial, onesum_copy}};
    [&list]<std::size_t... row>(std::index_sequence<row...>) { (Forced<row>::add(list), ...); }
    (std::make_index_sequence<most_rows>());
    return list;
}

std::vector<Contestant> kernels() {
    using namespace onesum::dispatch;
    const Kernel *best = choose(onesum::dispatch::kernels, probe(), "").kernel;
    std::vector<Contestant> list{{"auto", best->sum, best->copy}};
    for (const Kernel &row : onesum::dispatch::kernels)
        if (row.runs_on(probe())) list.push_back({row.name, row.sum, row.copy});
    return list;
}

void add_peer(const Contestant &sum, const Contestant &copy) {
    found().push_back(sum);
    found().push_back(copy);
}

std::vector<Contestant> peers() { return found(); }

Contestant null() { return {"null", sum_nothing, copy_nothing, SIZE_MAX, nullptr, false}; }

std::vector<Contestant> everybody() {
    std::vector<Contestant> all = library();
#if defined(ONESUM_AMALGAMATION)
    all.push_back({"amalgamation", amalgamation_partial, amalgamation_copy});
#endif
    for (const Contestant &c : seeds()) all.push_back(c);
    for (const Contestant &c : peers()) all.push_back(c);
    all.push_back(null());
    return all;
}

}  // namespace bench
