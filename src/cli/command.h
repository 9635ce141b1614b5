// The commands of the program, and what they share. SPDX-License-Identifier: MIT
//
// The command line fills the options (command_line.cc); nothing else depends on how it is parsed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "onesum/packet.h"

namespace onesum::cli {

// Exit statuses.
inline constexpr int good = 0, bad = 1, trouble = 2;

// How checksums are judged, as in onesum_packet_options, with the ports that those point to.
struct Judging {
    bool allow_zero_udp6 = false;
    std::vector<std::uint16_t> zero_udp6_ports;  // these only; none: all
    bool ignore_zero_ipv4 = false;

    // Valid as long as this is.
    onesum_packet_options packet() const;
};

struct CheckOptions {
    std::vector<std::string> files;
    std::string live;  // the interface to capture from, instead of files
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    std::uint64_t first = UINT64_MAX;
    unsigned threads = 1;
    std::uint32_t protocols = ~0u, verdicts = ~0u;  // those that count, a bit each
    bool verdicts_chosen = false;                   // so that they are all listed
    std::string filter;                             // "" for none
    Judging judging;

    bool chosen(const onesum_packet_result &result) const {
        return protocols >> result.protocol & verdicts >> result.verdict & 1;
    }
};

struct FixOptions {
    std::string in, out;
    std::uint32_t protocols = 0;  // those to repair, a bit each; 0 for all
    bool partial = false;
    bool zero_udp6 = false;  // and other illegal zeros
    bool dry_run = false;
    bool json = false;
    bool quiet = false;
    Judging judging;
};

struct ReportOptions {
    std::string in, out;
    std::uint64_t first = 20;  // of the bad packets, how many are shown
    std::string filter;
    bool quiet = false;
    Judging judging;
};

struct SumOptions {
    std::vector<std::string> files;
    bool quiet = false;
};

struct InfoOptions {
    bool json = false;
};

struct BenchOptions {
    double seconds = 20;
    bool quiet = false;
};

// Each returns the exit status.
int check(const CheckOptions &options);
int fix(const FixOptions &options);
int report(const ReportOptions &options);
int sum(const SumOptions &options);
int info(const InfoOptions &options);
int selftest();
int bench(const BenchOptions &options);

}  // namespace onesum::cli
