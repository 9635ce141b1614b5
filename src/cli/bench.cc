// onesum bench: how fast is every implementation on this machine? SPDX-License-Identifier: MIT
//
// The short version for a user; the long one is the benchmark onesum-bench.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/file.h"
#include "dispatch/cpu.h"
#include "onesum/onesum.h"

namespace onesum::cli {

namespace {

// Nanoseconds of this process on a CPU: what others take away from it does not count.
double now() { return static_cast<double>(std::clock()) * (1e9 / CLOCKS_PER_SEC); }

// One row of the table: a size, or sizes at random from `from` to `to`.
struct Case {
    std::size_t from, to;
    std::string name() const {
        return from == to ? std::to_string(to) : std::to_string(from) + " to " + std::to_string(to);
    }
};

constexpr Case cases[] = {{20, 20},           {40, 40},     {64, 64},     {256, 256},
                          {576, 576},         {1500, 1500}, {9000, 9000}, {65536, 65536},
                          {1 << 20, 1 << 20}, {1, 64},      {65, 256},    {1, 1500}};

constexpr int rounds = 9;

// So many lengths that no branch predictor learns them.
constexpr std::size_t draws = std::size_t{1} << 17;

// What the calls work on.
class Memory {
  public:
    Memory() : source_(longest + spread), destination_(longest + spread) {
        for (unsigned char &byte : source_) byte = static_cast<unsigned char>(random_());
        for (std::uint16_t &offset : offsets_) offset = static_cast<std::uint16_t>(random_() % spread);
    }

    // Draws the sizes of the case, which the next calls of time() are about.
    void prepare(const Case &which) {
        size_ = which.to;
        sizes_.clear();
        if (which.from == which.to) return;
        for (std::size_t i = 0; i < draws; ++i)
            sizes_.push_back(static_cast<std::uint16_t>(which.from + random_() % (which.to - which.from + 1)));
    }

    // Nanoseconds a call, of `calls`.
    double time(bool copying, std::size_t calls) {
        std::uint32_t sum = 0;
        const double start = now();
        if (sizes_.empty()) {
            for (std::size_t i = 0; i < calls; ++i)
                sum ^= copying ? onesum_copy(destination_.data(), source_.data(), size_, 0)
                               : onesum_partial(source_.data(), size_, 0);
        } else {
            for (std::size_t i = 0; i < calls; ++i) {
                next_ = (next_ + 1) % draws;
                const std::uint16_t at = offsets_[next_];
                sum ^= copying ? onesum_copy(destination_.data() + at, source_.data() + at, sizes_[next_], 0)
                               : onesum_partial(source_.data() + at, sizes_[next_], 0);
            }
        }
        const double taken = now() - start;
        result_ = sum;
        return taken / static_cast<double>(calls);
    }

  private:
    static constexpr std::size_t longest = 1 << 20, spread = 8192;

    std::mt19937 random_{1};
    std::vector<unsigned char> source_, destination_;
    std::vector<std::uint16_t> offsets_ = std::vector<std::uint16_t>(draws), sizes_;
    std::size_t size_ = 0, next_ = 0;
    volatile std::uint32_t result_ = 0;
};

// All implementations in turn, round after round, so that what slows the machine down slows all; the least of
// each.
std::vector<double> measure(Memory &memory, const Case &which, bool copying,
                            const std::vector<std::string> &names, double seconds) {
    memory.prepare(which);
    const double slice = seconds * 1e9 / rounds / static_cast<double>(names.size());
    std::vector<std::size_t> calls;
    for (const std::string &name : names) {
        onesum_select(name.c_str());
        // As many as the slice of time holds, from a first guess that is long enough to see.
        std::size_t guess = 1;
        double one = memory.time(copying, guess);
        while (one * static_cast<double>(guess) < slice / 10) one = memory.time(copying, guess *= 2);
        calls.push_back(std::max<std::size_t>(1, static_cast<std::size_t>(slice / one)));
    }
    std::vector<double> least(names.size(), std::numeric_limits<double>::infinity());
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            onesum_select(names[i].c_str());
            least[i] = std::min(least[i], memory.time(copying, calls[i]));
        }
    }
    return least;
}

void print_head(const char *what, const std::vector<std::string> &names) {
    std::printf("\n%-12s", what);
    for (const std::string &name : names) std::printf("  %11s", name.c_str());
    std::printf("  fastest\n");
}

}  // namespace

int bench(const BenchOptions &options) {
    if (const char *const wrong = onesum_selftest()) {
        complain(std::string(wrong) + " is wrong on this machine: see onesum selftest");
        return bad;
    }
    const std::string in_use = onesum_implementation();
    std::vector<onesum_implementation_info> list(onesum_implementations(nullptr, 0));
    onesum_implementations(list.data(), list.size());
    std::vector<std::string> names;
    for (const onesum_implementation_info &one : list)
        if (one.supported) names.push_back(one.name);

    char cpu[128];
    dispatch::cpu_name(cpu, sizeof cpu);
    std::printf("onesum %s, %s\nNanoseconds for one call, at sizes in bytes. In use for all sizes: %s\n",
                onesum_version(), *cpu ? cpu : "unknown CPU", in_use.c_str());

    const bool progress = !options.quiet && isatty(STDERR_FILENO);
    const std::size_t total = 2 * std::size(cases);
    std::size_t done = 0;
    Memory memory;
    for (const bool copying : {false, true}) {
        print_head(copying ? "copy and sum" : "sum", names);
        for (const Case &which : cases) {
            if (progress) std::fprintf(stderr, "\r%zu of %zu", done++, total);
            const std::vector<double> times =
                measure(memory, which, copying, names, options.seconds / static_cast<double>(total));
            if (progress) std::fprintf(stderr, "\r%*s\r", 12, "");
            std::printf("%-12s", which.name().c_str());
            for (const double time : times) std::printf("  %11.1f", time);
            const auto fastest = std::min_element(times.begin(), times.end()) - times.begin();
            std::printf("  %s\n", names[static_cast<std::size_t>(fastest)].c_str());
            std::fflush(stdout);
        }
    }
    onesum_select(in_use.c_str());
    return good;
}

}  // namespace onesum::cli
