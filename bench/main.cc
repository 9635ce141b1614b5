// onesum-bench: Google Benchmark with its own flags. SPDX-License-Identifier: MIT
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "bench.h"
#include "cases.h"
#include "commit.h"
#include "dispatch/cpu.h"
#include "onesum/onesum.h"
#include "timing.h"

namespace bench {

Operation *Operation::first_ = nullptr;

Operation::Operation(void (*register_benchmarks)()) : register_benchmarks_(register_benchmarks), next_(first_) {
    first_ = this;
}

void Operation::register_all() {
    for (const Operation *o = first_; o; o = o->next_) o->register_benchmarks_();
}

namespace {

// Nanoseconds that a short loop takes which keeps the core's pipes full by itself: where somebody works on the
// core's other thread, it takes up to twice as long. Dependent work, as in `clock`, would not show that.
double busy_probe() {
    static const volatile std::uint64_t words[4] = {1, 2, 3, 4};
    std::uint64_t a = 0, b = 0, c = 0, d = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 2000; ++i) {
        a += words[0], b += words[1], c += words[2], d += words[3];
        benchmark::DoNotOptimize(a += b);
        benchmark::DoNotOptimize(c += d);
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count();
}

// Starts the program anew with memory at addresses that are the same in every run. At those that the system
// draws, memcpy of 512 bytes takes 4.7 ns in most runs and 9.7 in some (Zen 4). Returns whether they are fixed
// now.
bool fix_addresses(char **argv) {
    const int before = personality(0xffffffff);
    if (before == -1) return false;
    if (before & ADDR_NO_RANDOMIZE) return true;
    if (personality(static_cast<unsigned>(before) | ADDR_NO_RANDOMIZE) == -1) return false;
    // Some containers report success and change nothing.
    if (const int now = personality(0xffffffff); now == -1 || !(now & ADDR_NO_RANDOMIZE)) return false;
    execv("/proc/self/exe", argv);
    return false;
}

}  // namespace

std::size_t loop_of(const std::string &operation, const std::string &implementation) {
    static std::vector<std::string> taken;
    const std::string name = operation + "/" + implementation;
    const auto found = std::find(taken.begin(), taken.end(), name);
    const auto loop = static_cast<std::size_t>(found - taken.begin());
    if (found == taken.end()) taken.push_back(name);
    return loop % loop_count;
}

// The counter `probe` is the slower of two probes, taken right before and after: the report leaves out what was
// timed while the machine was somebody else's too.
void add(const std::string &operation, const std::string &implementation, const std::string &case_name,
         std::function<void(benchmark::State &)> run) {
    benchmark::RegisterBenchmark((operation + "/" + implementation + "/" + case_name).c_str(),
                                 [run = std::move(run)](benchmark::State &state) {
                                     const double before = busy_probe();
                                     run(state);
                                     state.counters["probe"] = std::max(before, busy_probe());
                                 })
        ->ComputeStatistics("min", [](const std::vector<double> &times) {
            return *std::min_element(times.begin(), times.end());
        });
}

}  // namespace bench

int main(int argc, char **argv) {
    const bool fixed = bench::fix_addresses(argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;

    char cpu[64];
    onesum::dispatch::cpu_name(cpu, sizeof cpu);
    benchmark::AddCustomContext("cpu", cpu);
#if defined(__clang__)
    benchmark::AddCustomContext("compiler", __VERSION__);
#else
    benchmark::AddCustomContext("compiler", "GCC " __VERSION__);
#endif
    benchmark::AddCustomContext("commit", ONESUM_COMMIT);
    benchmark::AddCustomContext("addresses", fixed ? "fixed" : "random");
    onesum_select(nullptr);
    benchmark::AddCustomContext("auto", onesum_implementation());

    bench::map_fixed();
    bench::Operation::register_all();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
