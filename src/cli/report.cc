// onesum report: a page about the checksums of a capture. SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <span>
#include <string>

#include "capture/reader.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/filter.h"
#include "cli/findings.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/tally.h"

namespace onesum::cli {

namespace {

// What is kept of a packet that is shown; fields further in are told without their bytes.
constexpr std::size_t bytes_kept = 4096;

// Beyond these only the sum is counted, so that the memory in use has a bound.
constexpr std::size_t most_conversations = 20000;

class Report {
  public:
    explicit Report(const ReportOptions &options) : options_(options) {}

    int run() {
        const File in(options_.in);
        if (in.error() != 0) return fail(options_.in, in.error());
        struct stat from;
        if (fstat(in.descriptor(), &from) != 0) return fail(options_.in, errno);
        if (is_output(options_.out, from)) {
            complain(options_.out + ": is the input itself: name another file for the page");
            return trouble;
        }
        findings_.name = options_.in;
        findings_.filter = options_.filter;
        if (!read(in)) {
            complain(options_.in + ": " + findings_.problem);
            return trouble;
        }
        const std::string text = page(findings_);
        Output out(options_.out, std::nullopt);
        out.write(std::as_bytes(std::span(text)));
        if (!out.commit()) return fail(options_.out, out.error());
        if (!findings_.problem.empty()) {
            complain(options_.in + ": " + findings_.problem + "; the page is about what comes before");
            if (!cut_off_) return trouble;
        }
        return findings_.tally.bad() ? bad : good;
    }

  private:
    static int fail(const std::string &name, int error) {
        complain(name + ": " + std::strerror(error));
        return trouble;
    }

    // False, with the problem noted, if there is nothing to make a page of.
    bool read(const File &in) {
        capture::Input input(in.descriptor());
        capture::Reader reader(input);
        Progress progress(options_.in, options_.quiet || options_.out == "-");
        Filter filter(options_.filter);
        const onesum_packet_options packet_options = options_.judging.packet();
        findings_.size = input.size();
        while (const capture::Packet *const packet = reader.next()) {
            progress.tick(input);
            const std::optional<bool> fits = filter.fits(*packet);
            if (!fits) {
                findings_.problem = filter.error();
                return false;
            }
            if (!*fits) continue;
            onesum_packet_result results[ONESUM_PACKET_LAYERS];
            const std::size_t found =
                onesum_packet_check(packet->bytes.data(), packet->bytes.size(), packet->link, &packet_options,
                                    results, std::size(results));
            ++findings_.tally.frames;
            if (found == 0 && !onesum_packet_link_known(packet->link))
                ++findings_.tally.unknown_links[packet->link];
            add(*packet, reader.time(), std::span(results, found));
        }
        if (reader.problem()) {
            findings_.problem = reader.problem()->text();
            cut_off_ = reader.problem()->kind == capture::Problem::Kind::truncated;
        }
        return reader.is_capture();
    }

    void add(const capture::Packet &packet, std::optional<std::uint64_t> time,
             std::span<const onesum_packet_result> results) {
        Timeline::Bin counts;
        std::size_t worst = results.size();
        for (std::size_t i = 0; i < results.size(); ++i) {
            const onesum_packet_result &result = results[i];
            if (result.flags & ONESUM_RESULT_QUOTED) continue;
            findings_.tally.add(result);
            if (result.verdict == ONESUM_VERDICT_GOOD) {
                ++counts.good;
                continue;
            }
            ++(is_bad(result.verdict) ? counts.bad : counts.other);
            if (is_bad(result.verdict)) worst = std::min(worst, i);
            if (is_bad(result.verdict) || result.verdict == ONESUM_VERDICT_PARTIAL)
                add(conversation(packet.bytes, results, i), packet.frame, is_bad(result.verdict));
        }
        if (time) {
            findings_.timeline.add(*time, counts);
            findings_.earliest = std::min(findings_.earliest.value_or(*time), *time);
            findings_.latest = std::max(findings_.latest.value_or(*time), *time);
        } else {
            ++findings_.untimed;
        }
        if (worst == results.size()) return;
        ++findings_.bad_packets;
        if (findings_.packets.size() >= options_.first) return;
        BadPacket shown;
        shown.frame = packet.frame;
        shown.time = time;
        shown.captured = packet.bytes.size();
        const auto kept = packet.bytes.first(std::min(packet.bytes.size(), bytes_kept));
        shown.bytes.assign(kept.begin(), kept.end());
        shown.results.assign(results.begin(), results.end());
        shown.worst = worst;
        shown.conversation = conversation(packet.bytes, results, worst);
        findings_.packets.push_back(std::move(shown));
    }

    void add(const Conversation &which, std::uint64_t frame, bool bad) {
        auto &all = findings_.conversations;
        auto found = all.find(which);
        if (found == all.end() && all.size() == most_conversations) {
            ++findings_.more_conversations;
            return;
        }
        if (found == all.end()) found = all.emplace(which, ConversationCounts{}).first;
        ConversationCounts &counts = found->second;
        ++(bad ? counts.bad : counts.partial);
        if (!bad) return;
        if (counts.first == 0) counts.first = frame;
        counts.last = frame;
    }

    const ReportOptions &options_;
    Findings findings_;
    bool cut_off_ = false;  // only the last record is not whole
};

}  // namespace

int report(const ReportOptions &options) {
    if (options.out == "-" && isatty(STDOUT_FILENO)) {
        complain("standard output is a terminal: name a file with -o, or send it elsewhere");
        return trouble;
    }
    return Report(options).run();
}

}  // namespace onesum::cli
