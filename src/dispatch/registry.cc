// kernels.def as an array. SPDX-License-Identifier: MIT
#include "dispatch/kernel.h"

#if defined(__x86_64__) && (defined(__LP64__) || defined(_WIN64))
#define KERNEL_x86_64(...) __VA_ARGS__
#else
#define KERNEL_x86_64(...)
#endif
#if defined(__AARCH64EL__) && defined(__LP64__)
#define KERNEL_aarch64(...) __VA_ARGS__
#else
#define KERNEL_aarch64(...)
#endif
#if defined(__riscv) && defined(__LP64__)
#define KERNEL_riscv64(...) __VA_ARGS__
#else
#define KERNEL_riscv64(...)
#endif
#define KERNEL_any(...) __VA_ARGS__

extern "C" {
#define KERNEL(name, architecture, needs, file)                                                      \
    KERNEL_##architecture(std::uint32_t onesum_sum_##name(const void *, std::size_t, std::uint32_t); \
                          std::uint32_t onesum_copy_##name(void *, const void *, std::size_t, std::uint32_t);)
#include "dispatch/kernels.def"
#undef KERNEL
}

namespace onesum::dispatch {

namespace {

using namespace feature;

constexpr Kernel rows[] = {
#define KERNEL(name, architecture, needs, file) \
    KERNEL_##architecture({#name, #needs, needs, onesum_sum_##name, onesum_copy_##name}, )
#include "dispatch/kernels.def"
#undef KERNEL
};

static_assert(rows[std::size(rows) - 1].needs == none, "the last row of kernels.def runs on every CPU");
static_assert(choose(rows, none, "").forced == Forced::none);

}  // namespace

constinit const std::span<const Kernel> kernels{rows};

}  // namespace onesum::dispatch
