// The Linux kernel's own sum for x86-64, from a source tree that the user has. SPDX-License-Identifier: MIT
//
// In the kernel its last load may fault, and is mended; here the cases at a page's end are left out instead.
#include "peers/peer.h"

extern "C" std::uint32_t csum_partial(const void *buff, int len, std::uint32_t sum);

namespace bench {

namespace {

std::uint32_t linux_kernel(const void *data, std::size_t size, std::uint32_t seed) {
    return csum_partial(data, static_cast<int>(size), seed);
}
const Peer<linux_kernel> peer{"linux", longest_int, true};

}  // namespace

}  // namespace bench
