// Which function copies segments. SPDX-License-Identifier: MIT
#include "dispatch/active.h"
#include "dispatch/calls.h"

extern "C" {

#if defined(__x86_64__) && (defined(__LP64__) || defined(_WIN64))

std::uint32_t onesum_copy_segment_avx512(void *, const void *, std::size_t, std::uint32_t);
std::uint32_t onesum_copy_segment_avx2(void *, const void *, std::size_t, std::uint32_t);

// Those of the vectors that the kernel in use has, whatever it sums by: who forces a kernel that needs nothing
// sees no vectors here either.
onesum::dispatch::CopyFunction onesum_segment_copy_in_use() {
    using namespace onesum::dispatch::feature;
    const onesum::dispatch::Kernel *kernel = onesum::dispatch::resolved();
    if (kernel->needs & avx512bw) return onesum_copy_segment_avx512;
    if (kernel->needs & avx2) return onesum_copy_segment_avx2;
    return kernel->copy;
}

#else

onesum::dispatch::CopyFunction onesum_segment_copy_in_use() { return onesum::dispatch::resolved()->copy; }

#endif
}
