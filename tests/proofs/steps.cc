// The library's own steps, for the proofs to compare their models with. SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dispatch/kernel.h"
#include "onesum/onesum.h"

namespace {

using Words = const std::uint64_t *;

std::uint16_t u16(std::uint64_t word) { return static_cast<std::uint16_t>(word); }
std::uint32_t u32(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint8_t u8(std::uint64_t word) { return static_cast<std::uint8_t>(word); }

struct Step {
    std::string_view name;
    std::uint64_t (*run)(Words in);
};

constexpr Step steps[] = {
    {"fold", [](Words in) -> std::uint64_t { return onesum_fold(u32(in[0])); }},
    {"add", [](Words in) -> std::uint64_t { return onesum_add(u32(in[0]), u32(in[1])); }},
    {"sub", [](Words in) -> std::uint64_t { return onesum_sub(u32(in[0]), u32(in[1])); }},
    {"rotate", [](Words in) -> std::uint64_t { return onesum_rotate(u32(in[0]), 7); }},
    {"block_add_even", [](Words in) -> std::uint64_t { return onesum_block_add(u32(in[0]), u32(in[1]), 4); }},
    {"block_add_odd", [](Words in) -> std::uint64_t { return onesum_block_add(u32(in[0]), u32(in[1]), 5); }},
    {"block_sub_even", [](Words in) -> std::uint64_t { return onesum_block_sub(u32(in[0]), u32(in[1]), 4); }},
    {"block_sub_odd", [](Words in) -> std::uint64_t { return onesum_block_sub(u32(in[0]), u32(in[1]), 5); }},
    {"fold64", [](Words in) -> std::uint64_t { return onesum_fold64(in[0]); }},
    {"add64", [](Words in) -> std::uint64_t { return onesum_add64(in[0], in[1], in[2]); }},
    {"replace_diff", [](Words in) -> std::uint64_t { return onesum_replace_diff(u16(in[0]), u32(in[1])); }},
    {"replace16",
     [](Words in) -> std::uint64_t { return onesum_replace16(u16(in[0]), u16(in[1]), u16(in[2])); }},
    {"replace32",
     [](Words in) -> std::uint64_t { return onesum_replace32(u16(in[0]), u32(in[1]), u32(in[2])); }},
    {"replace128", [](Words in) -> std::uint64_t { return onesum_replace128(u16(in[0]), in + 1, in + 3); }},
    // Length and protocol are given as they lie in memory.
    {"pseudo_ipv4",
     [](Words in) -> std::uint64_t {
         const std::uint32_t src = u32(in[0]), dst = u32(in[1]);
         return onesum_pseudo_ipv4(&src, &dst, onesum_network32(u32(in[2])), u8(onesum_network32(u32(in[3]))),
                                   u32(in[4]));
     }},
    {"pseudo_ipv6",
     [](Words in) -> std::uint64_t {
         return onesum_pseudo_ipv6(in, in + 2, onesum_network32(u32(in[4])), u8(onesum_network32(u32(in[5]))),
                                   u32(in[6]));
     }},
    {"ipv4_header", [](Words in) -> std::uint64_t { return onesum_ipv4_header(in, 5); }},
};

}  // namespace

extern "C" {

// Runs step `name` on `count` rows of `width` words. 0, or -1 where there is no such step.
[[gnu::visibility("default")]] int steps_run(const char *name, std::size_t count, std::size_t width,
                                             const std::uint64_t *in, std::uint64_t *out) {
    for (const Step &step : steps) {
        if (step.name != name) continue;
        for (std::size_t i = 0; i < count; ++i) out[i] = step.run(in + i * width);
        return 0;
    }
    return -1;
}

// Sums, or copies and sums, `count` buffers of `size` bytes with the kernel `name`. 0, or -1 where this machine
// has none.
[[gnu::visibility("default")]] int steps_kernel(const char *name, int copying, std::size_t count,
                                                std::size_t size, const unsigned char *data,
                                                unsigned char *copies, const std::uint32_t *seeds,
                                                std::uint32_t *out) {
    const onesum::dispatch::Kernel *kernel = onesum::dispatch::find(onesum::dispatch::kernels, name);
    if (!kernel || !kernel->runs_on(onesum::dispatch::probe())) return -1;
    for (std::size_t i = 0; i < count; ++i, data += size)
        out[i] = copying ? kernel->copy(copies, data, size, seeds[i]) : kernel->sum(data, size, seeds[i]);
    return 0;
}
}
