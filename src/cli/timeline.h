// Counts over time. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace onesum::cli {

// Counts in at most `most_bins` parts of time of one width, which grows as need be, so that one pass over a
// capture of any length is enough.
class Timeline {
  public:
    static constexpr std::size_t most_bins = 150;

    struct Bin {
        std::uint64_t good = 0, other = 0, bad = 0;

        Bin &operator+=(const Bin &more) {
            good += more.good;
            other += more.other;
            bad += more.bad;
            return *this;
        }
    };

    // At a time in nanoseconds since 1970.
    void add(std::uint64_t time, const Bin &counts);

    // In nanoseconds.
    std::uint64_t width() const;

    // By number: that of the time divided by the width. Those in which nothing was are not there.
    const std::map<std::uint64_t, Bin> &bins() const { return bins_; }

  private:
    void widen();

    std::map<std::uint64_t, Bin> bins_;
    std::size_t step_ = 0;  // of the widths
};

}  // namespace onesum::cli
