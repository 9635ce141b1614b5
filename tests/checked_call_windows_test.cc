// Every kernel of x86-64 keeps what Windows makes it keep. SPDX-License-Identifier: MIT
//
// Unlike elsewhere, rdi, rsi and the lower halves of xmm6 to xmm15 belong to the caller.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "dispatch/kernel.h"
#include "reference.h"

namespace {

struct CheckedCall {
    const void *target;
    std::uint64_t arguments[4];
    std::uint64_t poison;
    // What came back.
    std::uint64_t result;
    std::uint64_t stack;        // the stack pointer, from where it was
    std::uint64_t kept[8];      // rbx, rbp, rdi, rsi, r12 to r15
    std::uint64_t vectors[20];  // xmm6 to xmm15
};
static_assert(offsetof(CheckedCall, result) == 48 && offsetof(CheckedCall, kept) == 64);
static_assert(offsetof(CheckedCall, vectors) == 128);

}  // namespace

extern "C" {
void checked_call(CheckedCall *call);
void breaks_nothing();
void breaks_rbx();
void breaks_rdi();
void breaks_rsi();
void breaks_r15();
void breaks_xmm6();
void breaks_xmm15();
}

namespace {

constexpr std::uint64_t poison = 0xfeedfacecafebeef;

// Everything that the call shows to be broken, by name.
std::string broken(const CheckedCall &call) {
    std::string all;
    const char *const names[] = {"rbx ", "rbp ", "rdi ", "rsi ", "r12 ", "r13 ", "r14 ", "r15 "};
    for (int i = 0; i < 8; ++i)
        if (call.kept[i] != call.poison) all += names[i];
    for (int i = 0; i < 20; i += 2)
        if (call.vectors[i] != call.poison || call.vectors[i + 1] != call.poison)
            all += "xmm" + std::to_string(6 + i / 2) + " ";
    if (call.stack != 0) all += "stack ";
    return all;
}

std::string broken_by(void (*function)()) {
    CheckedCall call{};
    call.target = reinterpret_cast<const void *>(function);
    call.poison = poison;
    checked_call(&call);
    return broken(call);
}

}  // namespace

TEST_CASE("the check sees what is broken") {
    CHECK(broken_by(breaks_nothing) == "");
    CHECK(broken_by(breaks_rbx) == "rbx ");
    CHECK(broken_by(breaks_rdi) == "rdi ");
    CHECK(broken_by(breaks_rsi) == "rsi ");
    CHECK(broken_by(breaks_r15) == "r15 ");
    CHECK(broken_by(breaks_xmm6) == "xmm6 ");
    CHECK(broken_by(breaks_xmm15) == "xmm15 ");
}

TEST_CASE("every kernel keeps them, and minds no upper half of a seed") {
    std::vector<unsigned char> data(20000), copy(20000);
    std::mt19937 random(1);
    reference::fill(data.data(), data.size(), reference::Pattern::random, random);
    for (const auto &kernel : onesum::dispatch::kernels) {
        if (!kernel.runs_on(onesum::dispatch::probe())) continue;
        CAPTURE(kernel.name);
        for (std::size_t size = 0; size <= data.size(); size += size < 1100 ? 1 : 1511) {
            CAPTURE(size);
            const std::uint32_t seed = static_cast<std::uint32_t>(random());
            const std::uint32_t expected = reference::partial(data.data(), size, seed);
            const std::uint64_t bytes = reinterpret_cast<std::uintptr_t>(data.data());
            const std::uint64_t to = reinterpret_cast<std::uintptr_t>(copy.data());
            CheckedCall sum{reinterpret_cast<const void *>(kernel.sum),
                            {bytes, size, poison << 32 | seed, poison},
                            poison,
                            0,
                            0,
                            {},
                            {}};
            checked_call(&sum);
            REQUIRE(broken(sum) == "");
            REQUIRE(reference::canonical(static_cast<std::uint32_t>(sum.result)) == expected);
            CheckedCall copied{reinterpret_cast<const void *>(kernel.copy),
                               {to, bytes, size, poison << 32 | seed},
                               poison,
                               0,
                               0,
                               {},
                               {}};
            checked_call(&copied);
            REQUIRE(broken(copied) == "");
            REQUIRE(reference::canonical(static_cast<std::uint32_t>(copied.result)) == expected);
            REQUIRE(std::equal(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(size), copy.begin()));
        }
    }
}
