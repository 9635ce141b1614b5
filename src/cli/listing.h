// What `onesum check` says of packets. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capture/reader.h"
#include "cli/command.h"
#include "cli/tally.h"
#include "cli/text.h"

namespace onesum::cli {

// What some packets came to.
struct Outcome {
    Tally tally;
    std::string text;               // the lines to print,
    std::vector<std::size_t> ends;  // and where in the text each ends
};

// The words for one file or interface. Any number of threads may use one.
class Listing {
  public:
    // `options` outlives it.
    Listing(const CheckOptions &options, const std::string &name);

    // Judges a packet, and adds it to the outcome. No lines are added beyond `lines`.
    void judge(const capture::Packet &packet, Outcome &outcome, std::uint64_t lines) const;

    // The table, or the last line of the JSON, with what `more` adds to that.
    std::string summary(const Tally &tally, const std::string &problem, const std::string &more = "") const;

    // Says on standard error which link types could not be read.
    void complain_of_links(const Tally &tally) const;

    const Colours &colours() const { return colours_; }

  private:
    bool is_listed(const onesum_packet_result &result) const;
    void list(std::uint64_t frame, const onesum_packet_result &result, std::string &text) const;
    void list_json(std::uint64_t frame, std::span<const onesum_packet_result> results, std::string &text) const;

    const CheckOptions &options_;
    const onesum_packet_options packet_options_;
    const Colours colours_;
    const bool all_chosen_;
    const std::string name_, json_name_;
};

}  // namespace onesum::cli
