// What `onesum check` says of packets. SPDX-License-Identifier: MIT
#include "cli/listing.h"

#include <algorithm>
#include <iterator>

#include "cli/file.h"
#include "onesum/packet.h"

namespace onesum::cli {

onesum_packet_options Judging::packet() const {
    onesum_packet_options options{};
    if (allow_zero_udp6) options.flags |= ONESUM_PACKET_ALLOW_ZERO_UDP6;
    if (ignore_zero_ipv4) options.flags |= ONESUM_PACKET_IGNORE_ZERO_IPV4;
    options.zero_udp6_ports = zero_udp6_ports.data();
    options.zero_udp6_port_count = zero_udp6_ports.size();
    return options;
}

Listing::Listing(const CheckOptions &options, const std::string &name)
    : options_(options),
      packet_options_(options.judging.packet()),
      colours_(stdout, options.quiet || options.json),
      all_chosen_(options.protocols == ~0u && options.verdicts == ~0u),
      name_(name),
      json_name_(json_string(name)) {}

void Listing::judge(const capture::Packet &packet, Outcome &outcome, std::uint64_t lines) const {
    onesum_packet_result results[ONESUM_PACKET_LAYERS];
    const std::size_t found = onesum_packet_check(packet.bytes.data(), packet.bytes.size(), packet.link,
                                                  &packet_options_, results, std::size(results));
    ++outcome.tally.frames;
    if (found == 0) {
        if (!onesum_packet_link_known(packet.link)) ++outcome.tally.unknown_links[packet.link];
        return;
    }
    onesum_packet_result *end = results + found;
    if (!all_chosen_)
        end = std::remove_if(results, end, [this](const auto &result) { return !options_.chosen(result); });
    const std::span<const onesum_packet_result> chosen(results, end);
    bool listed = options_.json && !chosen.empty();
    for (const onesum_packet_result &result : chosen) {
        outcome.tally.add(result);
        listed |= result.verdict != ONESUM_VERDICT_GOOD || options_.verbose || options_.verdicts_chosen;
    }
    if (!listed) return;
    if (options_.json) {
        if (outcome.ends.size() == lines) return;
        list_json(packet.frame, chosen, outcome.text);
        outcome.ends.push_back(outcome.text.size());
        return;
    }
    for (const onesum_packet_result &result : chosen) {
        if (outcome.ends.size() == lines) return;
        if (!is_listed(result)) continue;
        list(packet.frame, result, outcome.text);
        outcome.ends.push_back(outcome.text.size());
    }
}

// In the text: what is bad, or what was asked for.
bool Listing::is_listed(const onesum_packet_result &result) const {
    if (options_.verbose || options_.verdicts_chosen) return true;
    return is_bad(result.verdict) && !(result.flags & ONESUM_RESULT_QUOTED);
}

void Listing::list(std::uint64_t frame, const onesum_packet_result &result, std::string &text) const {
    text += name_ + ": frame ";
    add_number(text, frame);
    text += ": " + std::string(onesum_protocol_name(result.protocol)) + " at offset ";
    add_number(text, result.offset);
    std::string stored, expected;
    add_checksum(stored, result.stored);
    text += ": stored " + colours_.verdict(result.verdict, stored);
    if (result.flags & ONESUM_RESULT_EXPECTED) {
        add_checksum(expected, result.expected);
        text += ", expected " + colours_.green(expected);
    }
    if (result.verdict != ONESUM_VERDICT_BAD)
        text += ", " + colours_.verdict(result.verdict, onesum_verdict_name(result.verdict));
    if (result.reason != ONESUM_REASON_NONE)
        text += " (" + std::string(onesum_reason_name(result.reason)) + ')';
    text += result.flags & ONESUM_RESULT_QUOTED ? ", quoted\n" : "\n";
}

void Listing::list_json(std::uint64_t frame, std::span<const onesum_packet_result> results,
                        std::string &text) const {
    text += "{\"file\":";
    text += json_name_;
    text += ",\"frame\":";
    add_number(text, frame);
    text += ",\"checksums\":[";
    for (const onesum_packet_result &result : results) {
        text += &result == results.data() ? "{\"protocol\":\"" : ",{\"protocol\":\"";
        text += onesum_protocol_name(result.protocol);
        text += "\",\"offset\":";
        add_number(text, result.offset);
        text += ",\"stored\":\"";
        add_checksum(text, result.stored);
        text += "\",\"expected\":";
        if (result.flags & ONESUM_RESULT_EXPECTED) {
            text += '"';
            add_checksum(text, result.expected);
            text += '"';
        } else {
            text += "null";
        }
        text += ",\"verdict\":\"";
        text += onesum_verdict_name(result.verdict);
        if (result.reason != ONESUM_REASON_NONE) {
            text += "\",\"reason\":\"";
            text += onesum_reason_name(result.reason);
        }
        text += result.flags & ONESUM_RESULT_QUOTED ? "\",\"quoted\":true}" : "\"}";
    }
    text += "]}\n";
}

std::string Listing::summary(const Tally &tally, const std::string &problem, const std::string &more) const {
    if (options_.json) {
        std::string text = "{\"file\":" + json_name_ + ",\"summary\":" + tally.json() + more;
        if (!problem.empty()) text += ",\"error\":" + json_string(problem);
        return text + "}\n";
    }
    if (options_.quiet || (!problem.empty() && tally.frames == 0)) return "";
    return name_ + ": " + counted(tally.frames, "frame") + '\n' + tally.table(colours_);
}

void Listing::complain_of_links(const Tally &tally) const {
    for (const auto &[link, frames] : tally.unknown_links)
        complain(name_ + ": link type " + std::to_string(link) + " is not known, " + std::to_string(frames) +
                 (frames == 1 ? " frame was" : " frames were") + " not looked into");
}

}  // namespace onesum::cli
