// The library's own steps, for the proofs to compare their models with. SPDX-License-Identifier: MIT
//
// Answers what it reads from standard input until that ends. A question is a line, then numbers of this
// machine:
//
//     step NAME COUNT WIDTH           COUNT rows of WIDTH words of 64 bits
//     kernel NAME sum|copy COUNT SIZE COUNT buffers of SIZE bytes, then COUNT seeds of 32 bits
//
// The answer is a byte, 0 where there is such a step or a kernel that this machine can run, else 1; and then
// COUNT results of 64 bits.
#if defined(__aarch64__) && defined(__linux__)
#include <sys/prctl.h>
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "dispatch/kernel.h"
#include "onesum/onesum.h"

namespace {

using Words = const std::uint64_t *;

std::uint16_t u16(std::uint64_t word) { return static_cast<std::uint16_t>(word); }
std::uint32_t u32(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint8_t u8(std::uint64_t word) { return static_cast<std::uint8_t>(word); }

// Five words of 32 bits, which begin as a header without options does.
std::array<std::uint32_t, 5> header_of(Words in) {
    std::array<std::uint32_t, 5> words;
    for (std::size_t i = 0; i < 5; ++i) words[i] = u32(in[i]);
    const unsigned char first = 0x45;
    std::memcpy(words.data(), &first, 1);
    return words;
}

// How long vectors are, where the architecture leaves it open and there are any; else 0.
std::uint64_t vector_bytes() {
    [[maybe_unused]] const onesum::dispatch::Features have = onesum::dispatch::probe();
#if defined(__aarch64__) && defined(__linux__)
    if (have & onesum::dispatch::feature::sve) return prctl(PR_SVE_GET_VL) & PR_SVE_VL_LEN_MASK;
#elif defined(__riscv)
    if (have & onesum::dispatch::feature::v) {
        std::uint64_t bytes;
        asm("csrr %0, 0xc22" : "=r"(bytes));  // vlenb
        return bytes;
    }
#endif
    return 0;
}

struct Step {
    std::string_view name;
    std::uint64_t (*run)(Words in);
};

constexpr Step steps[] = {
    {"fold", [](Words in) -> std::uint64_t { return onesum_fold(u32(in[0])); }},
    {"fold_udp", [](Words in) -> std::uint64_t { return onesum_fold_udp(u32(in[0])); }},
    {"add", [](Words in) -> std::uint64_t { return onesum_add(u32(in[0]), u32(in[1])); }},
    {"sub", [](Words in) -> std::uint64_t { return onesum_sub(u32(in[0]), u32(in[1])); }},
    {"rotate", [](Words in) -> std::uint64_t { return onesum_rotate(u32(in[0]), 7); }},
    {"block_add_even", [](Words in) -> std::uint64_t { return onesum_block_add(u32(in[0]), u32(in[1]), 4); }},
    {"block_add_odd", [](Words in) -> std::uint64_t { return onesum_block_add(u32(in[0]), u32(in[1]), 5); }},
    {"block_sub_even", [](Words in) -> std::uint64_t { return onesum_block_sub(u32(in[0]), u32(in[1]), 4); }},
    {"block_sub_odd", [](Words in) -> std::uint64_t { return onesum_block_sub(u32(in[0]), u32(in[1]), 5); }},
    {"fold64", [](Words in) -> std::uint64_t { return onesum_fold64(in[0]); }},
    {"add64", [](Words in) -> std::uint64_t { return onesum_add64(in[0], in[1], in[2]); }},
    {"add_addresses", [](Words in) -> std::uint64_t { return onesum_add_addresses(in[0], in + 1, in + 3); }},
    {"sum20",
     [](Words in) -> std::uint64_t {
         const std::uint32_t words[] = {u32(in[0]), u32(in[1]), u32(in[2]), u32(in[3]), u32(in[4])};
         return onesum_sum20(words);
     }},
    {"replace_diff", [](Words in) -> std::uint64_t { return onesum_replace_diff(u16(in[0]), u32(in[1])); }},
    {"replace_diff_udp",
     [](Words in) -> std::uint64_t { return onesum_replace_diff_udp(u16(in[0]), u32(in[1])); }},
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
    {"ipv4_header", [](Words in) -> std::uint64_t { return onesum_ipv4_header(header_of(in).data(), 5); }},
    // The same header as the last of 16: vectors take it with others.
    {"ipv4_headers",
     [](Words in) -> std::uint64_t {
         std::array<std::array<std::uint32_t, 5>, 16> headers;
         headers.fill(header_of(in));
         std::uint16_t results[16];
         onesum_ipv4_headers(headers.data(), 20, 16, results);
         return results[15];
     }},
    {"vector_bytes", [](Words) { return vector_bytes(); }},
};

template <typename Item>
std::vector<Item> read_in(std::size_t count) {
    std::vector<Item> items(count + 1);  // data() of no items, too, is a place
    items.resize(std::fread(items.data(), sizeof(Item), count, stdin));
    return items;
}

void answer(const std::vector<std::uint64_t> *results) {
    std::putchar(results ? 0 : 1);
    if (results) std::fwrite(results->data(), sizeof(std::uint64_t), results->size(), stdout);
    std::fflush(stdout);
}

}  // namespace

int main() {
    char line[200], name[64], what[8];
    while (std::fgets(line, sizeof line, stdin)) {
        std::size_t count, size;
        std::vector<std::uint64_t> results;
        if (std::sscanf(line, "step %63s %zu %zu", name, &count, &size) == 3) {
            const auto in = read_in<std::uint64_t>(count * size);
            const Step *step = nullptr;
            for (const Step &one : steps)
                if (one.name == name) step = &one;
            for (std::size_t i = 0; step && i < count; ++i) results.push_back(step->run(in.data() + i * size));
            answer(step ? &results : nullptr);
        } else if (std::sscanf(line, "kernel %63s %7s %zu %zu", name, what, &count, &size) == 4) {
            const auto data = read_in<unsigned char>(count * size);
            const auto seeds = read_in<std::uint32_t>(count);
            const onesum::dispatch::Kernel *kernel = onesum::dispatch::find(onesum::dispatch::kernels, name);
            const bool there = kernel && kernel->runs_on(onesum::dispatch::probe());
            std::vector<unsigned char> copy(size + 1);
            for (std::size_t i = 0; there && i < count; ++i) {
                const unsigned char *const from = data.data() + i * size;
                results.push_back(std::strcmp(what, "copy") == 0
                                      ? kernel->copy(copy.data(), from, size, seeds[i])
                                      : kernel->sum(from, size, seeds[i]));
            }
            answer(there ? &results : nullptr);
        } else {
            return 2;
        }
    }
    return 0;
}
