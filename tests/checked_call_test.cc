// Every kernel of x86-64 called as a hostile caller might. SPDX-License-Identifier: MIT
//
// The System V convention lets a caller leave anything in the upper half of a 32-bit argument, in the flags but
// the direction, and in registers that are not kept; and it makes the function keep six registers, the stack
// pointer, what is above the return address, the rounding modes, an empty x87 stack and clear upper halves of
// the vectors. A compiler sees to all of that; in assembly, and around it, only this test does.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "dispatch/kernel.h"
#include "reference.h"

namespace {

struct CheckedCall {
    const void *target;
    std::uint64_t arguments[4];
    std::uint64_t poison;   // in every register that is not an argument, and above the return address
    std::uint64_t flags;    // before the call
    std::uint32_t vectors;  // 1: there are vectors of 32 bytes, 2: of 64 bytes
    std::uint32_t mxcsr;
    std::uint64_t x87_control;
    // What came back.
    std::uint64_t result;
    std::uint64_t kept[6];  // rbx, rbp, r12 to r15
    std::uint64_t stack;    // the stack pointer, from where it was
    std::uint64_t above;    // bits that changed above the return address
    std::uint64_t flags_after;
    std::uint64_t mxcsr_after;
    std::uint16_t x87_after[16];  // as fnstenv writes it: the control word first, the tags fifth
    unsigned char vectors_after[16][64];
};
static_assert(offsetof(CheckedCall, x87_control) == 64 && offsetof(CheckedCall, above) == 136);
static_assert(offsetof(CheckedCall, mxcsr_after) == 152 && offsetof(CheckedCall, x87_after) == 160);
static_assert(offsetof(CheckedCall, vectors_after) == 192);

constexpr std::uint64_t interrupts = 0x202, carry = 0x1, parity = 0x4, adjust = 0x10, zero = 0x40, sign = 0x80,
                        direction = 0x400, overflow = 0x800;

using onesum::dispatch::Kernel;
using onesum::dispatch::probe;
namespace feature = onesum::dispatch::feature;

std::uint32_t vectors() {
    const auto have = probe();
    return have & feature::avx512f ? 2 : have & feature::avx ? 1 : 0;
}

// Everything that `call` shows to be broken, by name.
std::string broken(const CheckedCall &call) {
    std::string all;
    const char *const names[] = {"rbx ", "rbp ", "r12 ", "r13 ", "r14 ", "r15 "};
    for (int i = 0; i < 6; ++i)
        if (call.kept[i] != call.poison) all += names[i];
    if (call.stack != 0) all += "stack ";
    if (call.above != 0) all += "above ";
    if (call.flags_after & direction) all += "direction ";
    if ((call.mxcsr_after ^ call.mxcsr) & 0xffc0) all += "mxcsr ";  // below are the exceptions that arose
    if (call.x87_after[0] != call.x87_control) all += "x87_control ";
    if (call.x87_after[4] != 0xffff) all += "x87_stack ";
    const std::ptrdiff_t width = call.vectors == 2 ? 64 : call.vectors == 1 ? 32 : 16;
    for (const auto &vector : call.vectors_after)
        if (std::any_of(vector + 16, vector + width, [](unsigned char byte) { return byte != 0; }))
            return all + "upper ";
    return all;
}

extern "C" {
void checked_call(CheckedCall *call);
void breaks_nothing();
void breaks_rbx();
void breaks_rbp();
void breaks_r12();
void breaks_r13();
void breaks_r14();
void breaks_r15();
void breaks_stack();
void breaks_direction();
void breaks_above();
void breaks_above_far();
void breaks_x87();
void breaks_mmx();
void breaks_mxcsr();
void breaks_control();
void breaks_upper_half();
void breaks_flags();
void breaks_ymm();
void breaks_zmm();
}

// Calls `target`, whose argument number `seed` is of 32 bits.
template <typename Function>
CheckedCall call(Function *target, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d, int seed,
                 std::mt19937_64 &random) {
    CheckedCall call{};
    call.target = reinterpret_cast<const void *>(target);
    call.arguments[0] = a, call.arguments[1] = b, call.arguments[2] = c, call.arguments[3] = d;
    call.arguments[seed] |= (random() | 1) << 32;
    if (seed == 2) call.arguments[3] = random();
    call.poison = random() | std::uint64_t{1} << 63;
    // All flags but the direction set, none, or some.
    constexpr std::uint64_t all = carry | parity | adjust | zero | sign | overflow;
    const std::uint64_t some[] = {all, 0, random() & all};
    call.flags = interrupts | some[random() % 3];
    call.vectors = vectors();
    call.mxcsr = 0x1f80 | (random() & 3) << 13;        // exceptions masked, any rounding
    call.x87_control = 0x037f | (random() & 3) << 10;  // likewise
    checked_call(&call);
    return call;
}

std::uint64_t address(const void *at) { return reinterpret_cast<std::uintptr_t>(at); }

}  // namespace

TEST_CASE("the check sees each way to break the convention") {
    std::mt19937_64 random(1);
    const struct {
        void (*function)();
        const char *what;
        std::uint32_t needs;
    } cases[] = {
        {breaks_nothing, "", 0},       {breaks_rbx, "rbx ", 0},         {breaks_rbp, "rbp ", 0},
        {breaks_r12, "r12 ", 0},       {breaks_r13, "r13 ", 0},         {breaks_r14, "r14 ", 0},
        {breaks_r15, "r15 ", 0},       {breaks_stack, "stack ", 0},     {breaks_direction, "direction ", 0},
        {breaks_above, "above ", 0},   {breaks_above_far, "above ", 0}, {breaks_x87, "x87_stack ", 0},
        {breaks_mmx, "x87_stack ", 0}, {breaks_mxcsr, "mxcsr ", 0},     {breaks_control, "x87_control ", 0},
        {breaks_ymm, "upper ", 1},     {breaks_zmm, "upper ", 2},
    };
    for (const auto &one : cases) {
        if (one.needs > vectors()) continue;
        const std::string what = one.what;
        CAPTURE(what);
        for (int round = 0; round < 20; ++round) {
            const CheckedCall done = call(one.function, 0, 0, 0x12345678, 0, 2, random);
            REQUIRE(broken(done) == one.what);
            REQUIRE(static_cast<std::uint32_t>(done.result) == 0x12345678);
        }
    }
    // What reads the upper half of the seed, or a flag, shows in its result.
    int wrong = 0;
    for (int round = 0; round < 100; ++round)
        wrong += static_cast<std::uint32_t>(call(breaks_flags, 0, 0, 5, 0, 2, random).result) != 5;
    CHECK(wrong > 10);
    for (int round = 0; round < 100; ++round)
        REQUIRE(static_cast<std::uint32_t>(call(breaks_upper_half, 0, 0, 5, 0, 2, random).result) != 5);
}

TEST_CASE("every kernel that this CPU runs keeps what it must and uses nothing it may not") {
    constexpr std::size_t longest = 70000;
    std::vector<std::size_t> sizes;
    for (std::size_t size = 0; size <= 1100; ++size) sizes.push_back(size);
    for (const std::size_t size : {1448, 1500, 2047, 2048, 4095, 4096, 9000, 16384, 32768, 65535, 69000})
        sizes.push_back(size);
    std::mt19937 bytes(2);
    std::mt19937_64 random(3);
    std::vector<unsigned char> src(longest), dst(longest);
    reference::fill(src.data(), longest, reference::Pattern::half_ones, bytes);

    for (const Kernel &kernel : onesum::dispatch::kernels) {
        if (!kernel.runs_on(probe())) {
            MESSAGE("this CPU cannot run " << std::string(kernel.name));
            continue;
        }
        const std::string name = kernel.name;
        CAPTURE(name);
        for (const std::size_t size : sizes) {
            CAPTURE(size);
            for (int round = 0; round < 4; ++round) {
                const unsigned char *from = src.data() + random() % 64;
                unsigned char *to = dst.data() + random() % 64;
                const std::uint32_t seed = static_cast<std::uint32_t>(random());
                const std::uint32_t expected = reference::partial(from, size, seed);
                const CheckedCall sum = call(kernel.sum, address(from), size, seed, 0, 2, random);
                REQUIRE(broken(sum) == "");
                REQUIRE(reference::canonical(static_cast<std::uint32_t>(sum.result)) == expected);
                std::fill(to, to + size, static_cast<unsigned char>(0));
                const CheckedCall copy = call(kernel.copy, address(to), address(from), size, seed, 3, random);
                REQUIRE(broken(copy) == "");
                REQUIRE(reference::canonical(static_cast<std::uint32_t>(copy.result)) == expected);
                REQUIRE(std::equal(from, from + size, to));
            }
        }
    }
}
