// lwIP, whose lengths have 16 bits. SPDX-License-Identifier: MIT
#include <lwip/inet_chksum.h>

#include "peers/peer.h"

namespace bench {

namespace {

std::uint32_t lwip(const void *data, std::size_t size, std::uint32_t seed) {
    return onesum_add(static_cast<std::uint16_t>(~inet_chksum(data, static_cast<u16_t>(size))), seed);
}
const Peer<lwip> peer{"lwip", 0xffff};

}  // namespace

}  // namespace bench
