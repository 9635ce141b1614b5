// The command line of the program. SPDX-License-Identifier: MIT
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/file.h"
#include "onesum/onesum.h"
#include "onesum/packet.h"

namespace onesum::cli {

namespace {

using namespace std::string_literals;

// Runs a command once its options are parsed; returns the exit status.
using Run = std::function<int()>;

// A bit for each of the names, separated by commas. `name` gives a number's name, and NULL behind the last.
std::uint32_t parse_names(const CLI::Option *option, const std::string &text, const char *(*name)(int)) {
    std::uint32_t bits = 0;
    for (const std::string &wanted : CLI::detail::split(text, ',')) {
        int number = 0;
        std::string all;
        for (; name(number) && wanted != name(number); ++number) all += std::string(" ") + name(number);
        if (!name(number))
            throw CLI::ValidationError(option->get_name(), "there is no \"" + wanted + "\"; there are" + all);
        bits |= 1u << number;
    }
    return bits;
}

// The options about what is bad.
void add_judging(CLI::App &command, Judging &judging) {
    const auto zero_udp6 = std::make_shared<std::string>();  // "" for not allowed, "true" for every port
    command.add_flag(
        "--allow-zero-udp6", *zero_udp6,
        "A UDP checksum of 0 over IPv6 is allowed (RFC 6935); =PORTS: from or to these ports only");
    command.add_flag("--ignore-zero-ipv4", judging.ignore_zero_ipv4,
                     "An IPv4 header checksum of 0 is left to the network card, not bad");
    command.parse_complete_callback([zero_udp6, &judging] {
        judging.allow_zero_udp6 = !zero_udp6->empty();
        if (zero_udp6->empty() || *zero_udp6 == "true") return;
        for (const std::string &one : CLI::detail::split(*zero_udp6, ',')) {
            std::uint16_t port = 0;
            if (!CLI::detail::lexical_cast(one, port))
                throw CLI::ValidationError("--allow-zero-udp6", '"' + one + "\" is no port number");
            judging.zero_udp6_ports.push_back(port);
        }
    });
}

Run add_check(CLI::App &command) {
    const auto options = std::make_shared<CheckOptions>();
    struct Lists {
        std::string protocols, verdicts;
    };
    const auto lists = std::make_shared<Lists>();
    const CLI::Option *const files =
        command.add_option("FILE", options->files, "pcap or pcapng files; - is standard input, and so is none");
    CLI::Option *const live =
        command
            .add_option("--live", options->live,
                        "What comes along on this network interface, until Ctrl-C; counts each second")
            ->option_text("IFACE");
    command.add_flag("--json", options->json, "A line of JSON for each frame and a last one for each file");
    command.add_flag("--quiet", options->quiet, "No table, no colours and no progress, only what is bad");
    command.add_flag("--verbose", options->verbose, "List every checksum, good ones too");
    command.add_option("--first", options->first, "List no more than N lines a file (all are counted)")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 53))
        ->option_text("N");
    const CLI::Option *const protocols =
        command.add_option("--protocol", lists->protocols, "Count and list only these, such as tcp,udp")
            ->option_text("LIST");
    const CLI::Option *const verdicts =
        command.add_option("--verdict", lists->verdicts, "Count and list only these, such as bad,partial")
            ->option_text("LIST");
    command.add_option("-F,--filter", options->filter, "Only packets that fit, as in tcpdump")
        ->option_text("EXPRESSION");
    add_judging(command, options->judging);
    CLI::Option *const threads =
        command.add_option("--threads", options->threads, "Judge packets in N threads (1)")
            ->check(CLI::Range(1u, 256u))
            ->option_text("N");
    live->excludes(threads);
    command.footer(
        "A capture whose last record is cut off is told of, and judged by the rest.\n\n"
        "Exit status: 0 nothing is bad, 1 a checksum is bad or an illegal zero, 2 a file could not be read. "
        "What\n"
        "--protocol, --verdict and -F leave out is not counted there either.\n\n"
        "Examples:\n"
        "  onesum check capture.pcapng\n"
        "  onesum check --json *.pcap | grep '\"bad\"'\n"
        "  onesum check -F 'host 192.0.2.1 and tcp port 80' --verbose --first 20 capture.pcap\n"
        "  zcat capture.pcap.gz | onesum check\n"
        "  onesum check --live eth0\n"
        "  onesum check --allow-zero-udp6=4789,6081 tunnels.pcap");
    command.callback([options, lists, files, protocols, verdicts] {
        if (protocols->count() != 0)
            options->protocols = parse_names(protocols, lists->protocols, onesum_protocol_name);
        options->verdicts_chosen = verdicts->count() != 0;
        if (options->verdicts_chosen)
            options->verdicts = parse_names(verdicts, lists->verdicts, onesum_verdict_name);
        if (!options->live.empty() && files->count() != 0)
            throw CLI::ValidationError("--live", "takes no FILE beside it");
        if (options->files.empty()) options->files.push_back("-");
    });
    return [options] { return check(*options); };
}

Run add_fix(CLI::App &command) {
    const auto options = std::make_shared<FixOptions>();
    const auto list = std::make_shared<std::string>();
    command.add_option("IN", options->in, "A pcap or pcapng file; - is standard input")->required();
    command
        .add_option("-o,--output", options->out,
                    "The copy; - is standard output, and the report then goes to standard error")
        ->option_text("OUT");
    const CLI::Option *const only =
        command.add_option("--only", *list, "Repair these protocols only, such as tcp,udp")
            ->option_text("LIST");
    command.add_flag("--partial", options->partial, "Also complete sums that were left to a network card");
    command.add_flag("--zero-udp6", options->zero_udp6,
                     "Also fill zeros that are illegal, as in UDP over IPv6");
    add_judging(command, options->judging);
    command.add_flag("--dry-run", options->dry_run, "Report only, write nothing");
    command.add_flag("--json", options->json, "The report as lines of JSON");
    command.add_flag("--quiet", options->quiet, "Report only what is bad and left; no colours, no progress");
    command.footer(
        "Only wrong checksums change, and right ones that cover a repaired byte (\"followed\"). Every other "
        "byte\nof the file stays. OUT appears when it is whole. It may not be IN.\n\n"
        "Exit status: 0 nothing bad is left, 1 something bad is left as the report says, 2 an error, and no "
        "OUT.\n\n"
        "Examples:\n"
        "  onesum fix broken.pcapng -o good.pcapng\n"
        "  onesum fix sent.pcap --partial --zero-udp6 -o sent-fixed.pcap\n"
        "  onesum fix --dry-run --only tcp capture.pcap\n"
        "  zcat capture.pcap.gz | onesum fix - -o - | wireshark -k -i -");
    command.callback([options, list, only] {
        if (options->out.empty() && !options->dry_run)
            throw CLI::ValidationError("-o OUT is required, or --dry-run");
        if (only->count() != 0) options->protocols = parse_names(only, *list, onesum_protocol_name);
    });
    return [options] { return fix(*options); };
}

Run add_report(CLI::App &command) {
    const auto options = std::make_shared<ReportOptions>();
    command.add_option("IN", options->in, "A pcap or pcapng file; - is standard input")->required();
    command.add_option("-o,--output", options->out, "The page; - is standard output")
        ->required()
        ->option_text("OUT");
    command.add_option("--first", options->first, "Show no more than the first N bad packets (20)")
        ->check(CLI::Range(0, 1000))
        ->option_text("N");
    command.add_option("-F,--filter", options->filter, "Only packets that fit, as in tcpdump")
        ->option_text("EXPRESSION");
    add_judging(command, options->judging);
    command.add_flag("--quiet", options->quiet, "No progress");
    command.footer(
        "The page needs nothing but itself: it can be mailed and kept. It names addresses and shows bytes of "
        "packets.\nOUT appears when it is whole.\n\n"
        "Exit status: 0 nothing is bad, 1 a checksum is bad or an illegal zero, 2 an error.\n\n"
        "Examples:\n"
        "  onesum report capture.pcapng -o report.html\n"
        "  onesum report -F 'net 192.0.2.0/24' --first 100 capture.pcap -o report.html\n"
        "  zcat capture.pcap.gz | onesum report - -o report.html");
    return [options] { return report(*options); };
}

Run add_sum(CLI::App &command) {
    const auto options = std::make_shared<SumOptions>();
    command.add_option("FILE", options->files, "Files to sum; - is standard input, and so is none");
    command.add_flag("--quiet", options->quiet, "No progress");
    command.footer(
        "The checksum is printed in network order: the bytes 00 01 give 0xfffe.\n\n"
        "Exit status: 0, or 2 if a file could not be read.\n\n"
        "Examples:\n"
        "  onesum sum firmware.bin\n"
        "  printf '\\000\\001' | onesum sum");
    return [options] { return sum(*options); };
}

Run add_info(CLI::App &command) {
    const auto options = std::make_shared<InfoOptions>();
    command.add_flag("--json", options->json, "One line of JSON");
    command.footer(
        "Examples:\n"
        "  onesum info\n"
        "  ONESUM_FORCE_IMPLEMENTATION=generic onesum info --json");
    return [options] { return info(*options); };
}

Run add_selftest(CLI::App &command) {
    command.footer(
        "Exit status: 0 if every implementation that this CPU can run is right, 1 if one is wrong.\n\n"
        "Examples:\n"
        "  onesum selftest");
    return [] { return selftest(); };
}

Run add_bench(CLI::App &command) {
    const auto options = std::make_shared<BenchOptions>();
    command.add_option("--seconds", options->seconds, "How long to measure (20)")
        ->check([](const std::string &text) {
            const double seconds = std::strtod(text.c_str(), nullptr);
            return seconds >= 0.1 && seconds <= 3600 ? ""s : "from 0.1 to 3600 seconds"s;  // nan is neither
        })
        ->option_text("SECONDS");
    command.add_flag("--quiet", options->quiet, "No progress");
    command.footer(
        "Sizes such as \"1 to 64\" are drawn at random, so that no branch predictor learns them, as in real\n"
        "traffic.\n\n"
        "Exit status: 0, or 1 if an implementation is wrong, which is then not measured.\n\n"
        "Examples:\n"
        "  onesum bench\n"
        "  onesum bench --seconds 120 --quiet > bench.txt");
    return [options] { return bench(*options); };
}

struct Command {
    const char *name, *description;
    Run (*add)(CLI::App &);
};

constexpr Command commands[] = {
    {"check", "Verify every checksum in captures, or of what comes along", add_check},
    {"fix", "Copy a capture with its checksums repaired", add_fix},
    {"report", "Write a page about the checksums of a capture", add_report},
    {"sum", "Print the checksum of files", add_sum},
    {"info", "Show the CPU and the implementations for it", add_info},
    {"selftest", "Hold every implementation against the definition", add_selftest},
    {"bench", "Measure every implementation on this machine", add_bench},
};

constexpr const char *examples =
    "Examples:\n"
    "  onesum check capture.pcapng          which checksums are wrong?\n"
    "  onesum check --live eth0             the same for what comes along now\n"
    "  onesum fix IN -o OUT                 a copy with the right ones\n"
    "  onesum report IN -o report.html      a page to look at\n"
    "  onesum sum FILE                      the checksum of a file\n"
    "  ONESUM_FORCE_IMPLEMENTATION=generic onesum info\n"
    "\n"
    "Exit status: 0 if all is good, 1 if something is bad, 2 for wrong usage and for files that cannot be "
    "read.";

}  // namespace

Request parse(int argc, char **argv) {
    CLI::App app("onesum: the Internet checksum (RFC 1071) of files and in captures", "onesum");
    app.set_version_flag("--version", std::string("onesum ") + onesum_version());
    app.require_subcommand(0, 1);
    app.footer(examples);
    app.failure_message([](const CLI::App *at, const CLI::Error &error) {
        return "onesum: " + CLI::FailureMessage::simple(at, error);
    });
    std::vector<std::pair<CLI::App *, Run>> all;
    for (const Command &command : commands) {
        CLI::App *const sub = app.add_subcommand(command.name, command.description);
        all.emplace_back(sub, command.add(*sub));
    }
    if (argc > 1 && argv[1][0] != '-' &&
        std::none_of(all.begin(), all.end(), [&](const auto &one) { return one.first->check_name(argv[1]); })) {
        complain("there is no command \"" + std::string(argv[1]) + "\"; onesum --help lists them");
        return {"", {}, trouble};
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &asked) {  // --help, --version
        const int status = app.exit(asked);
        return {"", {}, std::cout.flush() ? status : failed_output()};
    } catch (const CLI::RequiredError &error) {
        // What is not known is told of first: it may be what is missing, misspelt.
        const std::vector<std::string> unknown = app.remaining(true);
        const bool option =
            std::any_of(unknown.begin(), unknown.end(), [](const auto &word) { return word.starts_with("-"); });
        option ? app.exit(CLI::ExtrasError(unknown)) : app.exit(error);
        return {"", {}, trouble};
    } catch (const CLI::ParseError &error) {
        app.exit(error);
        return {"", {}, trouble};
    }
    for (auto &[sub, run] : all)
        if (sub->parsed()) return {sub->get_name(), std::move(run)};
    complain("name a command; onesum --help lists them");
    return {"", {}, trouble};
}

}  // namespace onesum::cli
