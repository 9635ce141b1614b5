// The kernel avx_vnni on a CPU with AVX-512 instead. SPDX-License-Identifier: MIT
//
// Few machines have AVX-VNNI, and no emulator of ours has it. Its one instruction exists in AVX-512 as well, on
// the same registers and with the same result, in another encoding: this test is linked with kernels/highway.cc
// built that way. It also copies in blocks, as kernels do on some CPUs only.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "reference.h"

extern "C" std::uint32_t onesum_sum_avx_vnni(const void *, std::size_t, std::uint32_t);
extern "C" std::uint32_t onesum_copy_avx_vnni(void *, const void *, std::size_t, std::uint32_t);

namespace {

void check(const unsigned char *src, unsigned char *dst, std::size_t size, std::uint32_t seed) {
    CAPTURE(size);
    CAPTURE(reinterpret_cast<std::uintptr_t>(src) % 4096);
    CAPTURE(seed);
    const std::uint32_t expected = reference::partial(src, size, seed);
    REQUIRE(reference::canonical(onesum_sum_avx_vnni(src, size, seed)) == expected);
    std::fill_n(dst, size, static_cast<unsigned char>(0xa5));
    REQUIRE(reference::canonical(onesum_copy_avx_vnni(dst, src, size, seed)) == expected);
    REQUIRE(std::memcmp(dst, src, size) == 0);
}

}  // namespace

TEST_CASE("every size up to a page, flush against an unreadable page") {
    constexpr std::size_t longest = 4096;
    std::mt19937 random(1);
    const reference::Guarded from(longest), to(longest);
    for (const reference::Pattern pattern : reference::patterns) {
        reference::fill(from.begin(), from.size(), pattern, random);
        for (std::size_t size = 0; size <= longest; ++size) {
            check(from.begin(), to.last(size), size, static_cast<std::uint32_t>(random()));
            check(from.last(size), to.begin(), size, 0);
        }
    }
}

TEST_CASE("long ones, around the sizes at which the 32-bit sums are widened") {
    constexpr std::size_t block = 8192 * 32, longest = 4 * block + 64;
    std::mt19937 random(2);
    const reference::Guarded from(longest + 64), to(longest + 64);
    for (const reference::Pattern pattern : reference::patterns) {
        reference::fill(from.begin(), from.size(), pattern, random);
        for (const std::size_t blocks : {1, 2, 3, 4})
            for (const std::size_t more : {-65, -33, -1, 0, 1, 31, 63})
                check(from.begin() + random() % 64, to.begin() + random() % 64, blocks * block + more,
                      static_cast<std::uint32_t>(random()));
    }
}
