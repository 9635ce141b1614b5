// What the CPU can do. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace onesum::dispatch {

// A set of CPU features, one bit each. A feature counts only if the operating system saves its registers too.
using Features = std::uint32_t;

// Names as in /proc/cpuinfo, in the order of their bits; sve_wide, which is not there, is SVE with vectors of
// at least 256 bits, and v is RISC-V's vectors.
#define ONESUM_FEATURES(FEATURE) \
    FEATURE(ssse3)               \
    FEATURE(sse4_1)              \
    FEATURE(sse4_2)              \
    FEATURE(pclmulqdq)           \
    FEATURE(aes)                 \
    FEATURE(adx)                 \
    FEATURE(bmi1)                \
    FEATURE(bmi2)                \
    FEATURE(lzcnt)               \
    FEATURE(fma)                 \
    FEATURE(f16c)                \
    FEATURE(avx)                 \
    FEATURE(avx2)                \
    FEATURE(avx_vnni)            \
    FEATURE(avx512f)             \
    FEATURE(avx512cd)            \
    FEATURE(avx512dq)            \
    FEATURE(avx512bw)            \
    FEATURE(avx512vl)            \
    FEATURE(avx512_vnni)         \
    FEATURE(asimd)               \
    FEATURE(sve)                 \
    FEATURE(sve_wide)            \
    FEATURE(v)

namespace feature {
enum Bit : unsigned {
#define ONESUM_BIT(name) name##_bit,
    ONESUM_FEATURES(ONESUM_BIT)
#undef ONESUM_BIT
        count
};
#define ONESUM_MASK(name) inline constexpr Features name = Features{1} << name##_bit;
ONESUM_FEATURES(ONESUM_MASK)
#undef ONESUM_MASK
inline constexpr Features none = 0;
static_assert(count <= 32);
}  // namespace feature

// Asks the CPU. Allocates nothing; the answer never changes while the process runs.
Features probe();

#if defined(__x86_64__)
// Whether a copy of more than the first cache holds is faster by the string instruction, and then a sum over what
// the cache still has of it, than in one pass by vectors. Asks the CPU.
bool string_copy_wins();
#endif

// The name of the feature of bit `bit`, counted from 0; NULL from feature::count on.
const char *feature_name(unsigned bit);

// The CPU's own name for itself, or "" where it has none, into `name` of `size` bytes, cut if it is longer.
void cpu_name(char *name, std::size_t size);

}  // namespace onesum::dispatch
