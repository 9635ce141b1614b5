// What the commands of the program share. SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace onesum::cli {

// Exit statuses.
inline constexpr int good = 0, bad = 1, trouble = 2;

// Runs a command once its options are parsed; returns the exit status.
using Run = std::function<int()>;

// Each adds its options to its part of the command line.
Run add_info(CLI::App &command);
Run add_sum(CLI::App &command);
Run add_check(CLI::App &command);
Run add_fix(CLI::App &command);
Run add_selftest(CLI::App &command);
Run add_bench(CLI::App &command);

// "onesum: TEXT" on standard error.
void complain(const std::string &text);

// A file to read from, or standard input for "-". Closed at the end, unless it is standard input.
class File {
  public:
    explicit File(const std::string &name);
    ~File();
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    // The errno of opening it, or 0. A directory is EISDIR.
    int error() const { return error_; }
    int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
    int error_ = 0;
};

}  // namespace onesum::cli
