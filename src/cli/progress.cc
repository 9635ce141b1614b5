// How far long work has come, on a terminal. SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <unistd.h>

#include <cstdio>

namespace onesum::cli {

Progress::Progress(const std::string &name, const capture::Input &input, bool quiet)
    : name_(name), input_(input), wanted_(!quiet && isatty(STDERR_FILENO)) {}

void Progress::show() {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;

    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double done = static_cast<double>(input_.position()), rate = done / seconds;
    std::fprintf(stderr, "\r\033[K%s: %.0f MB, %.0f MB/s", name_.c_str(), done / 1e6, rate / 1e6);
    if (const auto size = input_.size()) {
        const double all = static_cast<double>(*size);
        std::fprintf(stderr, ", %.0f %%, %.0f s left", 100 * done / all, (all - done) / rate);
    }
    std::fflush(stderr);
}

void Progress::clear() {
    if (!shown_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    shown_ = false;
}

}  // namespace onesum::cli
