// How many checksums of which protocol came to which verdict. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "cli/text.h"
#include "onesum/packet.h"

namespace onesum::cli {

// Whether a verdict decides the exit status.
inline bool is_bad(int verdict) {
    return verdict == ONESUM_VERDICT_BAD || verdict == ONESUM_VERDICT_ILLEGAL_ZERO;
}

struct Tally {
    std::uint64_t frames = 0;
    std::uint64_t counts[ONESUM_PROTOCOLS][ONESUM_VERDICTS] = {};
    std::map<std::uint32_t, std::uint64_t> unknown_links;  // frames of each link type that cannot be read

    // Quoted packets don't count.
    void add(const onesum_packet_result &result) {
        if (!(result.flags & ONESUM_RESULT_QUOTED)) ++counts[result.protocol][result.verdict];
    }
    void add(const Tally &other);
    std::uint64_t of(int verdict) const;

    // Whether the exit status is that of something bad.
    bool bad() const { return of(ONESUM_VERDICT_BAD) != 0 || of(ONESUM_VERDICT_ILLEGAL_ZERO) != 0; }

    // A line for each protocol, a column for each verdict that there is.
    std::string table(const Colours &colours) const;

    // The value of "summary" in the JSON.
    std::string json() const;
};

}  // namespace onesum::cli
