// DPDK. SPDX-License-Identifier: MIT
//
// Its sum is inline, so it is as wide as the code around it may be: here built for any CPU of this
// architecture, and for AVX2. DPDK's own choice of a CPU is not taken over.
#include <rte_config.h>
// after it
#include <rte_ip.h>

#include <memory>

#include "peers/peer.h"

namespace bench {

namespace {

[[gnu::flatten]] std::uint32_t dpdk(const void *data, std::size_t size, std::uint32_t seed) {
    return onesum_add(rte_raw_cksum(data, size), seed);
}
const Peer<dpdk> peer{"dpdk", longest_int};

#if defined(__x86_64__)
[[gnu::flatten, gnu::target("avx2,bmi2")]] std::uint32_t dpdk_avx2(const void *data, std::size_t size,
                                                                   std::uint32_t seed) {
    return onesum_add(rte_raw_cksum(data, size), seed);
}
constexpr auto needs = onesum::dispatch::feature::avx2 | onesum::dispatch::feature::bmi2;
const auto peer_avx2 = (needs & ~onesum::dispatch::probe()) == 0
                           ? std::make_unique<Peer<dpdk_avx2>>("dpdk_avx2", longest_int)
                           : nullptr;
#endif

}  // namespace

}  // namespace bench
