// onesum fix: a copy of a capture with the right checksums. SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "capture/reader.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/tally.h"
#include "cli/text.h"
#include "cli/writer.h"
#include "onesum/packet.h"

namespace onesum::cli {

namespace {

// Why a checksum that is neither good nor absent was left.
enum class Why { nothing_to_do, not_asked_for, not_in_only, presumed_tso, not_known };
constexpr std::size_t whys = 5;

// In the JSON's key, behind the verdict.
constexpr const char *why_names[whys] = {"", "_not_asked_for", "_not_in_only", "_presumed_tso", "_not_known"};

std::string in_words(int verdict, Why why) {
    const std::string words = onesum_verdict_name(verdict);
    switch (why) {
        case Why::not_asked_for:
            return words + (verdict == ONESUM_VERDICT_PARTIAL ? ": --partial completes them"
                                                              : ": --zero-udp6 fills them");
        case Why::not_in_only:
            return words + ": not in --only";
        case Why::presumed_tso:
            return words + ": presumed_tso";
        case Why::not_known:
            return words + ": the right value cannot be known";
        case Why::nothing_to_do:
            break;
    }
    return words;
}

class Fix {
  public:
    explicit Fix(const FixOptions &options)
        : options_(options),
          report_(options.out == "-" && !options.dry_run ? stderr : stdout),
          colours_(report_, options.quiet || options.json),
          packet_options_(options.judging.packet()) {
        if (options.json) json_name_ = json_string(options.in);
        packet_options_.fill_protocols = options.protocols;
        packet_options_.fill_verdicts = 1u << ONESUM_VERDICT_BAD;
        if (options.partial) packet_options_.fill_verdicts |= 1u << ONESUM_VERDICT_PARTIAL;
        if (options.zero_udp6) packet_options_.fill_verdicts |= 1u << ONESUM_VERDICT_ILLEGAL_ZERO;
    }

    int run() {
        File in(options_.in);
        if (in.error() != 0) return fail(options_.in, std::strerror(in.error()));
        struct stat from;
        if (fstat(in.descriptor(), &from) != 0) return fail(options_.in, std::strerror(errno));
        if (options_.dry_run) {
            copy(in, nullptr);
        } else {
            if (is_output(options_.out, from))
                return fail(options_.out, "is the input itself: name another file for the output");
            Output out(options_.out,
                       S_ISREG(from.st_mode) ? std::optional<mode_t>(from.st_mode & 0777) : std::nullopt);
            if (out.error() == 0) {
                Writer writer(out);
                copy(in, &writer);
                writer.finish();
            }
            if (!failed_ && !out.commit()) return fail(options_.out, std::strerror(out.error()));
        }
        if (failed_) return fail(options_.in, problem_);
        summarize();
        return bad_left_ != 0 || !problem_.empty() ? bad : good;
    }

  private:
    // Nothing has been made. The JSON says so as well.
    int fail(const std::string &name, const std::string &what) {
        if (options_.json) {
            problem_ = name == options_.in ? what : name + ": " + what;
            add_last_line();
        }
        complain(name + ": " + what);
        return trouble;
    }

    // Hands every byte of the input to the writer, if there is one, with the fields filled. Stops early once
    // its output has failed.
    void copy(const File &in, Writer *writer) {
        capture::Input input(in.descriptor(), [&](std::span<const std::byte> bytes) {
            if (writer) writer->write(bytes, input.memory());
        });
        capture::Reader reader(input);
        Progress progress(options_.in, options_.quiet || options_.out == "-");
        while (const capture::Packet *packet = reader.next()) {
            progress.tick(input);
            fill(*packet);
            if (writer && writer->failed()) return;
        }
        frames_ = reader.frames();
        if (reader.problem()) problem_ = reader.problem()->text();
        failed_ = !reader.is_capture();
        if (failed_) return;
        input.pass_all();
        if (input.error() != 0) {
            problem_ = std::strerror(input.error());
            failed_ = true;
        }
    }

    void fill(const capture::Packet &packet) {
        onesum_packet_result results[ONESUM_PACKET_LAYERS];
        const std::size_t count = onesum_packet_fill(packet.bytes.data(), packet.bytes.size(), packet.link,
                                                     &packet_options_, results, std::size(results));
        if (count == 0 && !onesum_packet_link_known(packet.link)) ++unknown_links_[packet.link];
        bool first = true;
        for (const onesum_packet_result &result : std::span(results, count)) {
            if (result.flags & ONESUM_RESULT_FILLED) {
                filled(packet, result, first);
                first = false;
            } else if (!(result.flags & ONESUM_RESULT_QUOTED)) {
                left(packet, result);
            }
        }
        if (options_.json && !first) std::fputs("]}\n", report_);
    }

    void filled(const capture::Packet &packet, const onesum_packet_result &result, bool first) {
        const bool followed = result.flags & ONESUM_RESULT_FOLLOWED;
        const char *const was = followed ? "followed" : onesum_verdict_name(result.verdict);
        ++filled_[was];
        const auto frame = static_cast<unsigned long long>(packet.frame);
        const auto in_file = static_cast<unsigned long long>(packet.offset + result.offset);
        const char *const protocol = onesum_protocol_name(result.protocol);
        if (options_.json) {
            if (first)
                std::fprintf(report_, "{\"file\":%s,\"frame\":%llu,\"changed\":[", json_name_.c_str(), frame);
            std::fprintf(report_,
                         "%s{\"protocol\":\"%s\",\"offset\":%zu,\"file_offset\":%llu,\"from\":\"0x%04x\","
                         "\"to\":\"0x%04x\",\"why\":\"%s\"}",
                         first ? "" : ",", protocol, result.offset, in_file, in_network_order(result.stored),
                         in_network_order(result.expected), was);
        } else if (!options_.quiet) {
            std::string from, to;
            add_checksum(from, result.stored);
            add_checksum(to, result.expected);
            std::fprintf(report_, "%s: frame %llu: %s at offset %zu (%llu in the file): %s -> %s, %s\n",
                         options_.in.c_str(), frame, protocol, result.offset, in_file,
                         colours_.verdict(result.verdict, from).c_str(), colours_.green(to).c_str(), was);
        }
    }

    void left(const capture::Packet &packet, const onesum_packet_result &result) {
        Why why = Why::nothing_to_do;
        switch (result.verdict) {
            case ONESUM_VERDICT_GOOD:
            case ONESUM_VERDICT_ABSENT:
                return;
            case ONESUM_VERDICT_UNVERIFIABLE:
                ++unverifiable_[result.reason];
                return;
            case ONESUM_VERDICT_PARTIAL:
                // Complete as soon as what it covers is.
                if (options_.partial && result.expected == result.stored) return;
                why = !options_.partial                  ? Why::not_asked_for
                      : result.flags & ONESUM_RESULT_TSO ? Why::presumed_tso
                                                         : Why::not_in_only;
                break;
            case ONESUM_VERDICT_BAD:
            case ONESUM_VERDICT_ILLEGAL_ZERO:
                // A repair further in may have made it right.
                if (result.flags & ONESUM_RESULT_EXPECTED && result.expected == result.stored) return;
                why = result.verdict == ONESUM_VERDICT_ILLEGAL_ZERO && !options_.zero_udp6 ? Why::not_asked_for
                      : !(result.flags & ONESUM_RESULT_EXPECTED)                           ? Why::not_known
                                                                                           : Why::not_in_only;
                ++bad_left_;
                break;
        }
        ++left_[result.verdict][static_cast<std::size_t>(why)];
        if (is_bad(result.verdict) && !options_.json)
            std::fprintf(report_, "%s: frame %llu: %s at offset %zu (%llu in the file): 0x%04x left, %s\n",
                         options_.in.c_str(), static_cast<unsigned long long>(packet.frame),
                         onesum_protocol_name(result.protocol), result.offset,
                         static_cast<unsigned long long>(packet.offset + result.offset),
                         in_network_order(result.stored), in_words(result.verdict, why).c_str());
    }

    void summarize() {
        const bool whole = problem_.empty();
        if (!whole) problem_ += "; what follows is copied as it is";
        if (options_.json) {
            add_last_line();
        } else if (!options_.quiet) {
            std::fprintf(report_, "%s: %s\n", options_.in.c_str(), counted(frames_, "frame").c_str());
            print(options_.dry_run ? "would change" : "changed", filled_);
            Counts left = all_left(false);
            for (const auto &[link, frames] : unknown_links_)
                left["frame of link type " + std::to_string(link) + ", which is not known"] = frames;
            if (!whole) left["rest of the file, which cannot be read"] = 1;
            print("left", left);
        }
        if (!whole) complain(options_.in + ": " + problem_);
    }

    void add_last_line() const {
        Counts left = all_left(true);
        for (const auto &[link, frames] : unknown_links_) left["frames_of_unknown_link_type"] += frames;
        std::fprintf(report_, "{\"file\":%s,\"summary\":{\"frames\":%llu,\"changed\":%s,\"left\":%s}",
                     json_name_.c_str(), static_cast<unsigned long long>(frames_), json(filled_).c_str(),
                     json(left).c_str());
        if (!problem_.empty()) std::fprintf(report_, ",\"error\":%s", json_string(problem_).c_str());
        std::fputs("}\n", report_);
    }

    using Counts = std::map<std::string, std::uint64_t>;

    // What was left, by why: the keys of the JSON, or words.
    Counts all_left(bool as_keys) const {
        Counts all;
        for (int verdict = 0; verdict < ONESUM_VERDICTS; ++verdict)
            for (std::size_t why = 0; why < whys; ++why)
                if (const std::uint64_t count = left_[verdict][why])
                    all[as_keys ? onesum_verdict_name(verdict) + std::string(why_names[why])
                                : in_words(verdict, static_cast<Why>(why))] = count;
        for (int reason = 0; reason < ONESUM_REASONS; ++reason)
            if (const std::uint64_t count = unverifiable_[reason])
                all[std::string(as_keys ? "unverifiable_" : "unverifiable: ") + onesum_reason_name(reason)] =
                    count;
        return all;
    }

    void print(const char *what, const Counts &counts) const {
        if (counts.empty()) std::fprintf(report_, "%s: nothing\n", what);
        for (const auto &[why, count] : counts)
            std::fprintf(report_, "%s: %llu %s\n", what, static_cast<unsigned long long>(count), why.c_str());
    }

    static std::string json(const Counts &counts) {
        std::string text;
        for (const auto &[why, count] : counts) {
            text += text.empty() ? '{' : ',';
            text += json_string(why) + ':' + std::to_string(count);
        }
        return text.empty() ? "{}" : text + '}';
    }

    const FixOptions &options_;
    std::FILE *const report_;
    const Colours colours_;
    onesum_packet_options packet_options_;
    std::string json_name_;
    std::uint64_t frames_ = 0;
    std::uint64_t bad_left_ = 0;
    Counts filled_;  // by what they were
    std::uint64_t left_[ONESUM_VERDICTS][whys] = {}, unverifiable_[ONESUM_REASONS] = {};
    std::map<std::uint32_t, std::uint64_t> unknown_links_;  // frames of each link type that cannot be read
    std::string problem_;                                   // why not all of the input could be looked into
    bool failed_ = false;                                   // and no output is made
};

}  // namespace

int fix(const FixOptions &options) {
    if (options.out == "-" && !options.dry_run && isatty(STDOUT_FILENO)) {
        complain("standard output is a terminal: name a file with -o, or send it elsewhere");
        return trouble;
    }
    return Fix(options).run();
}

}  // namespace onesum::cli
