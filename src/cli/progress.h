// How far long work has come, on a terminal. SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "capture/input.h"

namespace onesum::cli {

// One line on standard error that shows after a while and is gone in the end. Nothing at all where standard
// error is no terminal or `quiet` is wished.
class Progress {
  public:
    Progress(const std::string &name, bool quiet);
    ~Progress() { clear(); }
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    // To be called often, by whoever reads the input.
    void tick(const capture::Input &input) {
        if (wanted_ && ++ticks_ % 1024 == 0) show(input);
    }

    // Makes room for other output. Any thread may call it.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    void show(const capture::Input &input);

    const std::string name_;
    const bool wanted_;
    const Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::seconds(1);
    unsigned ticks_ = 0;
    std::mutex terminal_;
    bool shown_ = false;
};

}  // namespace onesum::cli
