// The library's side of who takes part. SPDX-License-Identifier: MIT
#include "contestants.h"

#include "onesum/onesum.h"
#include "peers/peer.h"

namespace bench {

namespace {

std::uint32_t sum_nothing(const void *, std::size_t, std::uint32_t seed) { return seed; }
std::uint32_t copy_nothing(void *, const void *, std::size_t, std::uint32_t seed) { return seed; }

std::vector<Contestant> &found() {
    static std::vector<Contestant> list;
    return list;
}

}  // namespace

std::vector<Contestant> library() {
    std::vector<Contestant> list{{"auto", onesum_partial, onesum_copy}};
    for (const auto &row : onesum::dispatch::kernels)
        if (row.runs_on(onesum::dispatch::probe()))
            list.push_back({row.name, onesum_partial, onesum_copy, SIZE_MAX, row.name});
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
    for (const Contestant &c : seeds()) all.push_back(c);
    for (const Contestant &c : peers()) all.push_back(c);
    all.push_back(null());
    return all;
}

}  // namespace bench
