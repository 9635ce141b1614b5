// onesum-bench: Google Benchmark with its own flags. SPDX-License-Identifier: MIT
#include <algorithm>

#include "bench.h"
#include "commit.h"
#include "dispatch/cpu.h"
#include "onesum/onesum.h"

namespace bench {

Operation *Operation::first_ = nullptr;

Operation::Operation(void (*register_benchmarks)()) : register_benchmarks_(register_benchmarks), next_(first_) {
    first_ = this;
}

void Operation::register_all() {
    for (const Operation *o = first_; o; o = o->next_) o->register_benchmarks_();
}

void add(const std::string &operation, const std::string &implementation, const std::string &case_name,
         std::function<void(benchmark::State &)> run) {
    benchmark::RegisterBenchmark((operation + "/" + implementation + "/" + case_name).c_str(), std::move(run))
        ->ComputeStatistics("min", [](const std::vector<double> &times) {
            return *std::min_element(times.begin(), times.end());
        });
}

}  // namespace bench

int main(int argc, char **argv) {
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
    onesum_select(nullptr);
    benchmark::AddCustomContext("auto", onesum_implementation());

    bench::Operation::register_all();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
