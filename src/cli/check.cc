// onesum check: a verdict on every checksum in captures. SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "capture/reader.h"
#include "cli/command.h"
#include "cli/filter.h"
#include "cli/progress.h"
#include "cli/tally.h"
#include "cli/text.h"
#include "onesum/packet.h"

namespace onesum::cli {

namespace {

struct Options {
    std::vector<std::string> files;
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    std::uint64_t first = UINT64_MAX;
    std::string protocols, verdicts;  // separated by commas; "" for all
    std::string filter;
    bool ignore_zero_ipv4 = false;
    std::string zero_udp6;  // "" for not allowed, "true" for every port

    std::vector<std::uint16_t> ports;
    onesum_packet_options packet{};
    std::uint32_t chosen_protocols = ~0u, chosen_verdicts = ~0u;  // a bit each

    bool chosen(const onesum_packet_result &result) const {
        return chosen_protocols >> result.protocol & chosen_verdicts >> result.verdict & 1;
    }
};

class Check {
  public:
    Check(const Options &options, const std::string &name) : options_(options), name_(name) {
        if (options.json) json_name_ = json_string(name);
    }

    int run() {
        File file(name_);
        if (file.error() != 0)
            problem_ = std::strerror(file.error());
        else
            read(file);
        report();
        if (!problem_.empty()) return trouble;
        return tally_.bad() ? bad : good;
    }

  private:
    void read(const File &file) {
        capture::Input input(file.descriptor());
        capture::Reader reader(input);
        Progress progress(name_, input, options_.quiet);
        Filter filter(options_.filter);
        while (const capture::Packet *packet = reader.next()) {
            progress.tick();
            if (!options_.filter.empty()) {
                const std::optional<bool> fits = filter.fits(*packet);
                if (!fits) {
                    problem_ = "-F, for link type " + std::to_string(packet->link) + ": " + filter.error();
                    return;
                }
                if (!*fits) continue;
            }
            ++tally_.frames;
            judge(*packet, progress);
        }
        if (reader.problem()) problem_ = reader.problem()->text();
    }

    void judge(const capture::Packet &packet, Progress &progress) {
        onesum_packet_result results[ONESUM_PACKET_LAYERS];
        const std::size_t found = onesum_packet_check(packet.bytes.data(), packet.bytes.size(), packet.link,
                                                      &options_.packet, results, std::size(results));
        if (found == 0) {
            if (!onesum_packet_link_known(packet.link)) ++tally_.unknown_links[packet.link];
            return;
        }
        const auto end = std::remove_if(results, results + found,
                                        [this](const auto &result) { return !options_.chosen(result); });
        const std::span<const onesum_packet_result> chosen(results, end);
        for (const onesum_packet_result &result : chosen) {
            tally_.add(result);
            if (!options_.json && is_listed(result) && listed_ < options_.first) {
                progress.clear();
                ++listed_;
                print(packet.frame, result);
            }
        }
        if (options_.json && !chosen.empty() && listed_ < options_.first) {
            ++listed_;
            print_json(packet.frame, chosen);
        }
    }

    // In the text: what is bad, or what was asked for.
    bool is_listed(const onesum_packet_result &result) const {
        if (options_.verbose || !options_.verdicts.empty()) return true;
        return (result.verdict == ONESUM_VERDICT_BAD || result.verdict == ONESUM_VERDICT_ILLEGAL_ZERO) &&
               !(result.flags & ONESUM_RESULT_QUOTED);
    }

    void print(std::uint64_t frame, const onesum_packet_result &result) const {
        std::printf("%s: frame %llu: %s at offset %zu: stored 0x%04x", name_.c_str(),
                    static_cast<unsigned long long>(frame), onesum_protocol_name(result.protocol),
                    result.offset, in_network_order(result.stored));
        if (result.flags & ONESUM_RESULT_EXPECTED)
            std::printf(", expected 0x%04x", in_network_order(result.expected));
        if (result.verdict != ONESUM_VERDICT_BAD) std::printf(", %s", onesum_verdict_name(result.verdict));
        if (result.reason != ONESUM_REASON_NONE) std::printf(" (%s)", onesum_reason_name(result.reason));
        std::puts(result.flags & ONESUM_RESULT_QUOTED ? ", quoted" : "");
    }

    void print_json(std::uint64_t frame, std::span<const onesum_packet_result> results) const {
        std::printf("{\"file\":%s,\"frame\":%llu,\"checksums\":[", json_name_.c_str(),
                    static_cast<unsigned long long>(frame));
        for (const onesum_packet_result &result : results) {
            std::printf("%s{\"protocol\":\"%s\",\"offset\":%zu,\"stored\":\"0x%04x\",\"expected\":",
                        &result == results.data() ? "" : ",", onesum_protocol_name(result.protocol),
                        result.offset, in_network_order(result.stored));
            if (result.flags & ONESUM_RESULT_EXPECTED)
                std::printf("\"0x%04x\"", in_network_order(result.expected));
            else
                std::fputs("null", stdout);
            std::printf(",\"verdict\":\"%s\"", onesum_verdict_name(result.verdict));
            if (result.reason != ONESUM_REASON_NONE)
                std::printf(",\"reason\":\"%s\"", onesum_reason_name(result.reason));
            std::fputs(result.flags & ONESUM_RESULT_QUOTED ? ",\"quoted\":true}" : "}", stdout);
        }
        std::fputs("]}\n", stdout);
    }

    void report() const {
        if (options_.json) {
            std::printf("{\"file\":%s,\"summary\":%s", json_name_.c_str(), tally_.json().c_str());
            if (!problem_.empty()) std::printf(",\"error\":%s", json_string(problem_).c_str());
            std::fputs("}\n", stdout);
        } else if (!options_.quiet && (problem_.empty() || tally_.frames != 0)) {
            std::printf("%s: %s\n%s", name_.c_str(), counted(tally_.frames, "frame").c_str(),
                        tally_.table().c_str());
        }
        for (const auto &[link, frames] : tally_.unknown_links)
            complain(name_ + ": link type " + std::to_string(link) + " is not known, " +
                     std::to_string(frames) + (frames == 1 ? " frame was" : " frames were") +
                     " not looked into");
        if (!problem_.empty()) complain(name_ + ": " + problem_);
    }

    const Options &options_;
    const std::string name_;
    std::string json_name_;
    Tally tally_;
    std::uint64_t listed_ = 0;  // lines
    std::string problem_;       // why not all of the file could be read
};

// The ports of --allow-zero-udp6=PORTS.
std::vector<std::uint16_t> parse_ports(const std::string &text) {
    std::vector<std::uint16_t> ports;
    for (const std::string &one : CLI::detail::split(text, ',')) {
        std::uint16_t port = 0;
        if (!CLI::detail::lexical_cast(one, port))
            throw CLI::ValidationError("--allow-zero-udp6", '"' + one + "\" is no port number");
        ports.push_back(port);
    }
    return ports;
}

// A bit for each of the names, separated by commas. `named` gives a name's number, or a negative one.
template <class Named>
std::uint32_t parse_names(const char *option, const std::string &text, Named named) {
    if (text.empty()) return ~0u;
    std::uint32_t bits = 0;
    for (const std::string &name : CLI::detail::split(text, ',')) {
        const int number = named(name.c_str());
        if (number < 0) throw CLI::ValidationError(option, "there is no \"" + name + '"');
        bits |= 1u << number;
    }
    return bits;
}

int verdict_named(const char *name) {
    for (int verdict = 0; verdict < ONESUM_VERDICTS; ++verdict)
        if (std::strcmp(name, onesum_verdict_name(verdict)) == 0) return verdict;
    return -1;
}

}  // namespace

Run add_check(CLI::App &command) {
    const auto options = std::make_shared<Options>();
    command.add_option("FILE", options->files, "pcap or pcapng files; - is standard input, and so is none");
    command.add_flag("--json", options->json, "A line of JSON for each frame and a last one for each file");
    command.add_flag("--quiet", options->quiet, "No table and no progress, only what is bad");
    command.add_flag("--verbose", options->verbose, "List every checksum, good ones too");
    command.add_option("--first", options->first, "List no more than N lines a file (all are counted)")
        ->check(CLI::NonNegativeNumber)
        ->option_text("N");
    command.add_option("--protocol", options->protocols, "Count and list only these, such as tcp,udp")
        ->option_text("LIST");
    command.add_option("--verdict", options->verdicts, "Count and list only these, such as bad,partial")
        ->option_text("LIST");
    command.add_option("-F,--filter", options->filter, "Only packets that fit, as in tcpdump")
        ->option_text("EXPRESSION");
    command.add_flag(
        "--allow-zero-udp6", options->zero_udp6,
        "A UDP checksum of 0 over IPv6 is allowed (RFC 6935); =PORTS: from or to these ports only");
    command.add_flag("--ignore-zero-ipv4", options->ignore_zero_ipv4,
                     "An IPv4 header checksum of 0 is left to the network card, not bad");
    command.footer(
        "Exit status: 0 nothing is bad, 1 a checksum is bad or an illegal zero,\n"
        "2 a file could not be read to its end.\n\n"
        "Examples:\n"
        "  onesum check capture.pcapng\n"
        "  onesum check --json *.pcap | grep '\"bad\"'\n"
        "  onesum check -F 'host 192.0.2.1 and tcp port 80' --verbose --first 20 capture.pcap\n"
        "  zcat capture.pcap.gz | onesum check\n"
        "  onesum check --allow-zero-udp6=4789,6081 tunnels.pcap");
    command.callback([options] {
        options->chosen_protocols = parse_names("--protocol", options->protocols, onesum_protocol_named);
        options->chosen_verdicts = parse_names("--verdict", options->verdicts, verdict_named);
        if (options->files.empty()) options->files.push_back("-");
        if (options->ignore_zero_ipv4) options->packet.flags |= ONESUM_PACKET_IGNORE_ZERO_IPV4;
        if (options->zero_udp6.empty()) return;
        options->packet.flags |= ONESUM_PACKET_ALLOW_ZERO_UDP6;
        if (options->zero_udp6 == "true") return;
        options->ports = parse_ports(options->zero_udp6);
        options->packet.zero_udp6_ports = options->ports.data();
        options->packet.zero_udp6_port_count = options->ports.size();
    });
    return [options] {
        if (options->files == std::vector<std::string>{"-"} && isatty(STDIN_FILENO)) {
            complain("standard input is a terminal: name a capture, or pipe one in (see onesum check --help)");
            return trouble;
        }
        int status = good;
        for (const std::string &name : options->files) status = std::max(status, Check(*options, name).run());
        return status;
    };
}

}  // namespace onesum::cli
