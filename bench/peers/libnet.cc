// libnet. SPDX-License-Identifier: MIT
#include "peers/peer.h"

// Exported by the library, declared in none of its headers.
extern "C" int libnet_in_cksum(std::uint16_t *addr, int len);

namespace bench {

namespace {

std::uint32_t libnet(const void *data, std::size_t size, std::uint32_t seed) {
    std::uint16_t *words = static_cast<std::uint16_t *>(const_cast<void *>(data));
    return onesum_add(static_cast<std::uint32_t>(libnet_in_cksum(words, static_cast<int>(size))), seed);
}
const Peer<libnet> peer{"libnet", longest_int};

}  // namespace

}  // namespace bench
