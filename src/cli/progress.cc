// How far long work has come, on a terminal. SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace onesum::cli {

namespace {

std::string bar(double share) {
    constexpr std::size_t width = 24;
    const auto full = static_cast<std::size_t>(share * width);
    return '[' + std::string(full, '#') + std::string(width - full, '.') + ']';
}

// "12 s", "3 min 5 s".
std::string time_left(double seconds) {
    const auto whole = static_cast<unsigned long long>(seconds + 0.5);
    const std::string rest = std::to_string(whole % 60) + " s";
    return whole < 60 ? rest : std::to_string(whole / 60) + " min " + rest;
}

}  // namespace

Progress::Progress(const std::string &name, bool quiet)
    : name_(name), wanted_(!quiet && isatty(STDERR_FILENO)) {}

void Progress::show(const capture::Input &input) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);

    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double done = static_cast<double>(input.position()), rate = done / seconds;
    std::string text = name_ + ": ";
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, "%.0f MB, %.0f MB/s", done / 1e6, rate / 1e6);
    if (const auto size = input.size()) {
        const double all = std::max(static_cast<double>(*size), done), share = done / all;
        char percent[16];
        std::snprintf(percent, sizeof percent, " %3.0f %%, ", 100 * share);
        text += bar(share) + percent + numbers + ", " + time_left((all - done) / rate) + " left";
    } else {
        text += numbers;
    }
    const std::lock_guard lock(terminal_);
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
    shown_ = true;
}

void Progress::clear() {
    if (!wanted_) return;
    const std::lock_guard lock(terminal_);
    if (!shown_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    shown_ = false;
}

}  // namespace onesum::cli
