// How many checksums of which protocol came to which verdict. SPDX-License-Identifier: MIT
#include "cli/tally.h"

#include <algorithm>
#include <vector>

namespace onesum::cli {

namespace {

std::string right(const std::string &text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string left(const std::string &text, std::size_t width) {
    return text + std::string(width - std::min(width, text.size()), ' ');
}

}  // namespace

void Tally::add(const Tally &other) {
    frames += other.frames;
    for (int protocol = 0; protocol < ONESUM_PROTOCOLS; ++protocol)
        for (int verdict = 0; verdict < ONESUM_VERDICTS; ++verdict)
            counts[protocol][verdict] += other.counts[protocol][verdict];
    for (const auto &[link, count] : other.unknown_links) unknown_links[link] += count;
}

std::uint64_t Tally::of(int verdict) const {
    std::uint64_t sum = 0;
    for (const auto &protocol : counts) sum += protocol[verdict];
    return sum;
}

std::string Tally::table(const Colours &colours) const {
    std::vector<int> verdicts;
    for (int verdict = 0; verdict < ONESUM_VERDICTS; ++verdict)
        if (verdict == ONESUM_VERDICT_GOOD || verdict == ONESUM_VERDICT_BAD || of(verdict) != 0)
            verdicts.push_back(verdict);

    std::string text = left("", 10);
    for (const int verdict : verdicts) text += right(onesum_verdict_name(verdict), 14);
    text += '\n';
    for (int protocol = 0; protocol < ONESUM_PROTOCOLS; ++protocol) {
        const auto &row = counts[protocol];
        if (std::all_of(std::begin(row), std::end(row), [](std::uint64_t count) { return count == 0; }))
            continue;
        text += left(onesum_protocol_name(protocol), 10);
        for (const int verdict : verdicts) {
            const std::string cell = right(row[verdict] ? std::to_string(row[verdict]) : "-", 14);
            text += row[verdict] ? colours.verdict(verdict, cell) : cell;
        }
        text += '\n';
    }
    return text;
}

std::string Tally::json() const {
    std::string text = "{\"frames\":" + std::to_string(frames);
    for (int protocol = 0; protocol < ONESUM_PROTOCOLS; ++protocol) {
        std::string row;
        for (int verdict = 0; verdict < ONESUM_VERDICTS; ++verdict) {
            const std::uint64_t count = counts[protocol][verdict];
            if (count == 0) continue;
            row += (row.empty() ? "\"" : ",\"") + std::string(onesum_verdict_name(verdict)) +
                   "\":" + std::to_string(count);
        }
        if (!row.empty()) text += ",\"" + std::string(onesum_protocol_name(protocol)) + "\":{" + row + '}';
    }
    return text + '}';
}

}  // namespace onesum::cli
