// libdumbnet. SPDX-License-Identifier: MIT
#include <dumbnet.h>

#include "peers/peer.h"

namespace bench {

namespace {

std::uint32_t libdumbnet(const void *data, std::size_t size, std::uint32_t seed) {
    return onesum_add(static_cast<std::uint32_t>(ip_cksum_add(data, size, 0)), seed);
}
const Peer<libdumbnet> peer{"libdumbnet", longest_int};

}  // namespace

}  // namespace bench
