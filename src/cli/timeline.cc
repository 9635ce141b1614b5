// Counts over time. SPDX-License-Identifier: MIT
#include "cli/timeline.h"

#include <iterator>

namespace onesum::cli {

namespace {

constexpr std::uint64_t microsecond = 1000, millisecond = 1000 * microsecond, second = 1000 * millisecond,
                        minute = 60 * second, hour = 60 * minute, day = 24 * hour;

// Round ones, each a multiple of the one before. With the last one, 64 bits of nanoseconds are 107 bins.
constexpr std::uint64_t widths[] = {
    microsecond,
    2 * microsecond,
    10 * microsecond,
    20 * microsecond,
    100 * microsecond,
    200 * microsecond,
    millisecond,
    2 * millisecond,
    10 * millisecond,
    20 * millisecond,
    100 * millisecond,
    200 * millisecond,
    second,
    2 * second,
    10 * second,
    30 * second,
    minute,
    2 * minute,
    10 * minute,
    30 * minute,
    hour,
    2 * hour,
    6 * hour,
    12 * hour,
    day,
    2 * day,
    10 * day,
    20 * day,
    100 * day,
    200 * day,
    1000 * day,
    2000 * day,
};

constexpr bool each_is_a_multiple() {
    for (std::size_t i = 1; i < std::size(widths); ++i)
        if (widths[i] % widths[i - 1] != 0) return false;
    return UINT64_MAX / widths[std::size(widths) - 1] < Timeline::most_bins;
}
static_assert(each_is_a_multiple());

}  // namespace

void Timeline::add(std::uint64_t time, const Bin &counts) {
    bins_[time / width()] += counts;
    while (bins_.rbegin()->first - bins_.begin()->first >= most_bins) widen();
}

std::uint64_t Timeline::width() const { return widths[step_]; }

void Timeline::widen() {
    const std::uint64_t factor = widths[step_ + 1] / widths[step_];
    ++step_;
    std::map<std::uint64_t, Bin> wider;
    for (const auto &[number, counts] : bins_) wider[number / factor] += counts;
    bins_.swap(wider);
}

}  // namespace onesum::cli
