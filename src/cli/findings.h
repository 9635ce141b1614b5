// What `onesum report` tells of a capture. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/conversation.h"
#include "cli/tally.h"
#include "cli/timeline.h"
#include "onesum/packet.h"

namespace onesum::cli {

// A packet with something bad in it.
struct BadPacket {
    std::uint64_t frame = 0;
    std::optional<std::uint64_t> time;  // in nanoseconds since 1970
    std::size_t captured = 0;           // bytes,
    std::vector<std::byte> bytes;       // of which these are kept, from the first one on
    std::vector<onesum_packet_result> results;
    std::size_t worst = 0;  // of the results: the first bad one
    Conversation conversation;
};

struct ConversationCounts {
    std::uint64_t bad = 0;              // illegal zeros too
    std::uint64_t partial = 0;          // left to the network card
    std::uint64_t first = 0, last = 0;  // frames of the bad ones
};

struct Findings {
    std::string name;
    std::optional<std::uint64_t> size;  // of the file, in bytes
    std::string filter;
    Tally tally;
    Timeline timeline;
    std::uint64_t untimed = 0;  // frames
    std::optional<std::uint64_t> earliest, latest;
    std::map<Conversation, ConversationCounts> conversations;  // those with anything bad or partial
    std::uint64_t more_conversations = 0;                      // checksums of those that were too many to count
    std::vector<BadPacket> packets;
    std::uint64_t bad_packets = 0;  // all, also those that are not shown
    std::string problem;            // why not all of the file was read
};

// A page of HTML that needs nothing but itself.
std::string page(const Findings &findings);

}  // namespace onesum::cli
