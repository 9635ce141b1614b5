// sve at every length of vectors that the CPU has. SPDX-License-Identifier: MIT
//
// A thread may change the length after the library has chosen, to 128 bits as well, for which nobody chooses
// it.
#include <doctest/doctest.h>
#include <sys/prctl.h>

#include <cstdlib>

#include "dispatch/kernel.h"
#include "onesum/onesum.h"
#include "reference.h"

using namespace onesum::dispatch;

namespace {

constexpr std::size_t longest = 6000;  // several turns of the longest vectors

void check(const Kernel &kernel) {
    std::mt19937 random(1);
    const reference::Guarded from(longest), to(longest);
    for (const reference::Pattern pattern : reference::patterns) {
        reference::fill(from.begin(), from.size(), pattern, random);
        for (std::size_t size = 0; size <= longest; size += size < 2500 ? 1 : 37) {
            CAPTURE(size);
            const std::uint32_t seed = static_cast<std::uint32_t>(random());
            const unsigned char *src = from.last(size);
            const std::uint32_t expected = reference::partial(src, size, seed);
            REQUIRE(reference::canonical(kernel.sum(src, size, seed)) == expected);
            unsigned char *dst = to.last(size);
            if (size != 0) std::memset(dst, 0xa5, size);
            if (size < longest) dst[-1] = 0xa5;
            REQUIRE(reference::canonical(kernel.copy(dst, src, size, seed)) == expected);
            REQUIRE((size == 0 || std::memcmp(dst, src, size) == 0));
            if (size < longest) REQUIRE(dst[-1] == 0xa5);
        }
    }
}

}  // namespace

TEST_CASE("every length of vectors") {
    if (!(probe() & feature::sve)) std::exit(77);  // a skip
    const Kernel *const kernel = find(kernels, "sve");
    REQUIRE(kernel);
    for (int length = 16; length <= 256; length *= 2) {
        // A length that the CPU lacks becomes the next shorter one.
        if (const int set = prctl(PR_SVE_SET_VL, length); set < 0 || (set & PR_SVE_VL_LEN_MASK) != length)
            break;
        CAPTURE(length);
        MESSAGE("vectors of " << 8 * length << " bits");
        check(*kernel);
    }
}
