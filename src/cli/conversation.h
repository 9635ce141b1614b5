// Who sends to whom. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "onesum/packet.h"

namespace onesum::cli {

// One direction between two ends. Equal for packets of the same conversation, and short enough to keep many.
struct Conversation {
    std::uint8_t protocol = 0;  // ONESUM_PROTOCOL_...
    // The source and the destination as they lie in packets: addresses of 4 or 16 bytes, then ports where the
    // protocol has them. Empty where no IP header is found.
    std::string ends;

    auto operator<=>(const Conversation &) const = default;

    // "192.0.2.1:80", "[2001:db8::1]:80", "2001:db8::1", or "unknown".
    std::string from() const { return end(0); }
    std::string to() const { return end(1); }

  private:
    std::string end(std::size_t number) const;
};

// The conversation that a checksum belongs to: `results[index]` of those found in the packet.
Conversation conversation(std::span<const std::byte> packet, std::span<const onesum_packet_result> results,
                          std::size_t index);

}  // namespace onesum::cli
