// The cases: which bytes a call gets. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

// What one call works on.
struct Piece {
    const unsigned char *src;
    unsigned char *dst;
    std::size_t size;
};

// One call of a mix: where its bytes are, relative to a source and a destination that stay in the first cache.
struct Draw {
    std::uint16_t src, dst, size;
};

// A case gives each call its piece:
//
// fixed   always the same one, aligned to a line or misaligned by 1 (the source), or flush against an
// unreadable
//         page (source and destination)
// mix     the next of `draws`, which no branch predictor learns
// cold    the next slot, in a scattered order, of a working set far larger than the last cache
struct Case {
    enum class Kind { fixed, mix, cold };

    std::string name;
    Kind kind;
    std::size_t size;  // of a call; of the longest for a mix
    std::size_t offset = 0;
    bool page_end = false;
    int mix = 0;  // which one

    // The piece of a fixed case.
    Piece fixed() const;
};

// Maps what the fixed cases work on. Done first, it lies at the same addresses whatever the random order of the
// run.
void map_fixed();

inline constexpr std::size_t draw_count = std::size_t{1} << 17;

// What a mix draws from, and the memory it lies in.
struct Mix {
    std::vector<Draw> draws;
    const unsigned char *src;
    unsigned char *dst;
    double mean_size;
};
const Mix &mix_of(const Case &which);

// The working set of cold cases: slots of a size that is a power of two. Every slot is visited once before any
// is visited again. The bytes repeat every cold_period, so that only so many different slots need verification.
inline constexpr std::size_t cold_period = std::size_t{1} << 16;
struct Cold {
    const unsigned char *src;
    unsigned char *dst;
    std::size_t slot, count;

    // A generator with the full period of the low bits (Knuth: the multiplier is 1 mod 4, the increment is
    // odd).
    static std::uint32_t next(std::uint32_t state) { return state * 0x915f77f5 + 0x4a7c1529; }
    std::size_t offset(std::uint32_t state) const { return (state & (count - 1)) * slot; }
};
Cold cold_of(const Case &which);

// All cases of the operations on whole buffers.
const std::vector<Case> &cases();

// Fixed sizes for operations that want only some.
std::vector<Case> aligned(std::initializer_list<std::size_t> sizes);

// The seed of every call, and the checksums that a case's calls must then give, one for each of its different
// pieces, from the definition (RFC 1071).
inline constexpr std::uint32_t seed = 0x1234;
const std::vector<std::uint16_t> &expected(const Case &which);

}  // namespace bench
