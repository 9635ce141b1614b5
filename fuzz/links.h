// How an input of the packet target names a link type. SPDX-License-Identifier: MIT
#pragma once

#include <onesum/packet.h>

#include <cstddef>
#include <cstdint>

namespace fuzz {

// Only ever appended to, so that kept inputs stay what they are.
inline constexpr std::uint32_t links[] = {
    ONESUM_LINK_ETHERNET,
    ONESUM_LINK_RAW,
    ONESUM_LINK_IPV4,
    ONESUM_LINK_IPV6,
    ONESUM_LINK_LINUX_COOKED,
    ONESUM_LINK_LINUX_COOKED2,
    ONESUM_LINK_NULL,
    ONESUM_LINK_LOOP,
    ONESUM_LINK_PPP,
    ONESUM_LINK_PPP_HDLC,
    ONESUM_LINK_PPPOE,
    ONESUM_LINK_LLC,
    ONESUM_LINK_CISCO_HDLC,
    ONESUM_LINK_FRAME_RELAY,
    ONESUM_LINK_PPP_DIRECTION,
    ONESUM_LINK_HDLC_DIRECTION,
    ONESUM_LINK_FRAME_DIRECTION,
    ONESUM_LINK_MPLS,
    ONESUM_LINK_IEEE802_11,
    ONESUM_LINK_RADIOTAP,
    ONESUM_LINK_PPI,
    ONESUM_LINK_NFLOG,
};

// Bytes before the packet: the link type's place in `links`, the options' flags, and how to cut it in pieces.
inline constexpr std::size_t head_size = 3;

}  // namespace fuzz
