// The implementation in use, and the calls that go through it. SPDX-License-Identifier: MIT
//
// One pointer to one immutable row is published, never several: a reader always sees a sum and a copy of the
// same kernel. Until the first call or the load-time constructor, whichever comes first, the pointer names a
// row whose functions resolve it; so a call from another library's constructor, or from many threads at once,
// is right.
#include "dispatch/active.h"

#include <atomic>
#include <cstdlib>

#include "dispatch/calls.h"
#include "onesum/onesum.h"

namespace onesum::dispatch {

namespace {

std::uint32_t resolving_sum(const void *data, std::size_t size, std::uint32_t seed);
std::uint32_t resolving_copy(void *dst, const void *src, std::size_t size, std::uint32_t seed);

constinit const Kernel resolving{"", "", feature::none, resolving_sum, resolving_copy};
constinit std::atomic<const Kernel *> active{&resolving};

// What the forced name came to. Every thread that resolves stores the same value, before it publishes a row.
constinit std::atomic<Forced> forced{Forced::none};

const char *forced_name() {
#if defined(__GLIBC__)
    const char *name = secure_getenv("ONESUM_FORCE_IMPLEMENTATION");
#else
    const char *name = std::getenv("ONESUM_FORCE_IMPLEMENTATION");
#endif
    return name ? name : "";
}

std::uint32_t resolving_sum(const void *data, std::size_t size, std::uint32_t seed) {
    return resolved()->sum(data, size, seed);
}
std::uint32_t resolving_copy(void *dst, const void *src, std::size_t size, std::uint32_t seed) {
    return resolved()->copy(dst, src, size, seed);
}

[[gnu::constructor]] void warm() { resolved(); }

// Rows are immutable and constant-initialised, so a relaxed load would do; on x86-64 acquire costs nothing.
const Kernel *in_use() { return active.load(std::memory_order_acquire); }

}  // namespace

const Kernel *resolved() {
    const Kernel *row = active.load(std::memory_order_acquire);
    if (row != &resolving) return row;
    const Choice choice = choose(kernels, probe(), forced_name());
    forced.store(choice.forced, std::memory_order_relaxed);
    // Another thread may have resolved meanwhile, to the same row, or called onesum_select(): that one stands.
    if (active.compare_exchange_strong(row, choice.kernel, std::memory_order_acq_rel)) return choice.kernel;
    return row;
}

}  // namespace onesum::dispatch

using namespace onesum::dispatch;

extern "C" {

std::uint32_t onesum_partial(const void *data, std::size_t size, std::uint32_t sum) {
    return in_use()->sum(data, size, sum);
}

std::uint32_t onesum_copy(void *dst, const void *src, std::size_t size, std::uint32_t sum) {
    return in_use()->copy(dst, src, size, sum);
}

std::uint16_t onesum_checksum(const void *data, std::size_t size) {
    return onesum_fold(in_use()->sum(data, size, 0));
}

onesum_calls onesum_calls_in_use() {
    const Kernel *row = resolved();
    return {row->sum, row->copy};
}

const char *onesum_implementation() { return resolved()->name; }

std::size_t onesum_implementations(onesum_implementation_info *list, std::size_t capacity) {
    const Kernel *row = resolved();
    const Features have = probe();
    for (std::size_t i = 0; i < kernels.size() && i < capacity; ++i)
        list[i] = {kernels[i].name, kernels[i].needs == feature::none ? "" : kernels[i].needs_text,
                   kernels[i].runs_on(have), &kernels[i] == row};
    return kernels.size();
}

int onesum_select(const char *name) {
    resolved();
    const Choice choice = choose(kernels, probe(), name ? name : "");
    if (choice.forced == Forced::unknown || (name && !*name)) return ONESUM_UNKNOWN;
    if (choice.forced == Forced::unsupported) return ONESUM_UNSUPPORTED;
    active.store(choice.kernel, std::memory_order_release);
    return 0;
}

int onesum_forced_status() {
    resolved();
    switch (forced.load(std::memory_order_relaxed)) {
        case Forced::active:
            return ONESUM_FORCED_ACTIVE;
        case Forced::unknown:
            return ONESUM_FORCED_UNKNOWN;
        case Forced::unsupported:
            return ONESUM_FORCED_UNSUPPORTED;
        case Forced::none:
            break;
    }
    return ONESUM_FORCED_NONE;
}

#define ONESUM_TEXT(x) #x
#define ONESUM_VERSION_TEXT(major, minor, patch) \
    ONESUM_TEXT(major) "." ONESUM_TEXT(minor) "." ONESUM_TEXT(patch)

const char *onesum_version() {
    return ONESUM_VERSION_TEXT(ONESUM_VERSION_MAJOR, ONESUM_VERSION_MINOR, ONESUM_VERSION_PATCH);
}
}
