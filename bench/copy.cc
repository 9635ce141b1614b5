// Copies that sum: copy and copy_read. SPDX-License-Identifier: MIT
#include "bench.h"
#include "contestants.h"
#include "timing.h"

namespace bench {

namespace {

struct Copy {
    CopyFunction function;
    std::uint32_t operator()(const unsigned char *src, unsigned char *dst, std::size_t size,
                             std::uint32_t sum) const {
        return function(dst, src, size, sum);
    }
};

// memcpy alone, called as its user calls it: without anything around it.
struct Memcpy {
    void *(*function)(void *, const void *, std::size_t);
    std::uint32_t operator()(const unsigned char *src, unsigned char *dst, std::size_t size,
                             std::uint32_t sum) const {
        function(dst, src, size);
        return sum;
    }
};

// Who copies a header mostly reads it next: the source address of an IPv4 header.
template <typename Call>
struct ThenRead {
    Call copy;
    std::uint32_t operator()(const unsigned char *src, unsigned char *dst, std::size_t size,
                             std::uint32_t sum) const {
        sum = copy(src, dst, size, sum);
        benchmark::DoNotOptimize(*reinterpret_cast<const volatile std::uint32_t *>(dst + 12));
        return sum;
    }
};

template <typename Call>
void add_copy(const char *operation, const Contestant &who, Call call, const Case &which) {
    if (!who.takes(which)) return;
    const bool sums = who.works && who.name != "memcpy";
    add(operation, who.name, which.name,
        [select = who.select, loop = loop_of(operation, who.name), checks = Checks{sums, who.works}, call,
         which, verified = false](benchmark::State &state) mutable {
            onesum_select(select);
            run(state, loop, call, which, checks, verified);
        });
}

template <typename Call>
void add_copies(const Contestant &who, Call call) {
    for (const Case &which : cases()) add_copy("copy", who, call, which);
    for (const Case &which : aligned({20, 40, 64, 128, 256, 576, 1500}))
        add_copy("copy_read", who, ThenRead<Call>{call}, which);
}

const Operation operation{[] {
    for (const Contestant &who : everybody())
        if (who.copy) add_copies(who, Copy{who.copy});
    add_copies({"memcpy", nullptr, nullptr}, Memcpy{std::memcpy});
}};

}  // namespace

}  // namespace bench
