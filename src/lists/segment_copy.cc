// Which function copies segments. SPDX-License-Identifier: MIT
#include "dispatch/active.h"
#include "dispatch/calls.h"

extern "C" {

#if defined(__x86_64__) && (defined(__LP64__) || defined(_WIN64))

std::uint32_t onesum_copy_segment_avx512(void *, const void *, std::size_t, std::uint32_t);
std::uint32_t onesum_copy_segment_ahead_avx512(void *, const void *, std::size_t, std::uint32_t);
std::uint32_t onesum_copy_segment_avx2(void *, const void *, std::size_t, std::uint32_t);
std::uint32_t onesum_copy_segment_ahead_avx2(void *, const void *, std::size_t, std::uint32_t);

// Those of the vectors that the kernel in use has, whatever it sums by: who forces a kernel that needs nothing
// sees no vectors here either. From 32 KiB on, when source and destination no longer fit the first-level cache,
// it pays to ask for the source's lines ahead.
onesum::dispatch::CopyFunction onesum_segment_copy_in_use(std::size_t size) {
    using namespace onesum::dispatch::feature;
    const onesum::dispatch::Kernel *kernel = onesum::dispatch::resolved();
    const bool ahead = size >= 32 * 1024;
    if (kernel->needs & avx512bw) return ahead ? onesum_copy_segment_ahead_avx512 : onesum_copy_segment_avx512;
    if (kernel->needs & avx2) return ahead ? onesum_copy_segment_ahead_avx2 : onesum_copy_segment_avx2;
    return kernel->copy;
}

#else

onesum::dispatch::CopyFunction onesum_segment_copy_in_use(std::size_t) {
    return onesum::dispatch::resolved()->copy;
}

#endif
}
