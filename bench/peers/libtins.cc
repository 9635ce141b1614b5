// libtins. SPDX-License-Identifier: MIT
#include <tins/utils/checksum_utils.h>

#include "peers/peer.h"

namespace bench {

namespace {

std::uint32_t libtins(const void *data, std::size_t size, std::uint32_t seed) {
    const std::uint8_t *begin = static_cast<const std::uint8_t *>(data);
    return onesum_add(onesum_network32(Tins::Utils::do_checksum(begin, begin + size)), seed);
}
const Peer<libtins> peer{"libtins", longest_int};

}  // namespace

}  // namespace bench
