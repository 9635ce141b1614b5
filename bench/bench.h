// What every file of benchmarks needs. SPDX-License-Identifier: MIT
//
// A benchmark is named operation/implementation/case, and its time is that of one call. An operation is one
// file: it defines an Operation, which registers the benchmarks of that operation when the program starts.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace bench {

// An operation adds itself to the program by existing at namespace scope.
class Operation {
  public:
    explicit Operation(void (*register_benchmarks)());
    static void register_all();

  private:
    void (*register_benchmarks_)();
    Operation *next_;
    static Operation *first_;
};

// Registers one benchmark.
void add(const std::string &operation, const std::string &implementation, const std::string &case_name,
         std::function<void(benchmark::State &)> run);

}  // namespace bench
