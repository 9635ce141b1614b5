// Many IPv4 headers or buffers in one call: batch. SPDX-License-Identifier: MIT
//
// Cases: `ipv4:STRIDE` is a call that verifies 1000 headers of 20 bytes, one every STRIDE bytes, and
// `fill:STRIDE` one that fills them; `pointers:STRIDE` verifies the same by pointers to them; `list:mix` sums
// 1000 buffers of 40, 576 and 1500 bytes at 7:4:1 in a scattered order, each time in another part of the mix,
// so that no branch predictor learns it.
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "bench.h"
#include "contestants.h"
#include "onesum/onesum.h"

namespace bench {

namespace {

constexpr std::size_t count = 1000;
constexpr std::size_t strides[] = {20, 64, 128, 2048};

using Answers = std::vector<std::uint16_t>;

// Headers with right checksums, the first on a line.
struct Headers {
    explicit Headers(std::size_t step) : stride(step), memory(count * step + 64) {
        std::mt19937 random(1);
        void *at = memory.data();
        std::size_t space = memory.size();
        first = static_cast<unsigned char *>(std::align(64, count * step, at, space));
        for (std::size_t i = 0; i < count; ++i) {
            unsigned char *header = first + i * stride;
            for (std::size_t j = 0; j < 20; ++j) header[j] = static_cast<unsigned char>(random());
            header[0] = 0x45;
        }
        onesum_ipv4_headers_fill(first, stride, count);
        for (std::size_t i = 0; i < count; ++i) list.push_back(first + i * stride);
    }
    std::size_t stride;
    std::vector<unsigned char> memory;
    unsigned char *first;
    std::vector<const void *> list;
};

// ---- Ways to verify: results into `answers` ----------------------------------------------------------------

using Verify = void (*)(const Headers &, Answers &);

void in_one_call(const Headers &headers, Answers &answers) {
    onesum_ipv4_headers(headers.first, headers.stride, count, answers.data());
}

void by_pointers(const Headers &headers, Answers &answers) {
    onesum_ipv4_headers_list(headers.list.data(), count, answers.data());
}

// A loop over the chain of add-with-carry that onesum.h has inline.
void inlined(const Headers &headers, Answers &answers) {
    for (std::size_t i = 0; i < count; ++i)
        answers[i] = onesum_ipv4_header(headers.first + i * headers.stride, 5);
}

// A loop over the same as a function of the library, as a program in another language calls it.
std::uint16_t (*volatile header_function)(const void *, unsigned) = onesum_ipv4_header;
void called(const Headers &headers, Answers &answers) {
    const auto function = header_function;
    for (std::size_t i = 0; i < count; ++i) answers[i] = function(headers.first + i * headers.stride, 5);
}

void add_verify(const std::string &implementation, Verify verify, const char *select, std::size_t stride,
                const std::string &kind = "ipv4:") {
    add("batch", implementation, kind + std::to_string(stride), [=](benchmark::State &state) {
        onesum_select(select);
        const Headers headers(stride);
        Answers answers(count, 0xffff);
        verify(headers, answers);
        if (std::count(answers.begin(), answers.end(), 0) != count)
            return state.SkipWithError("wrong on this data");
        for (auto _ : state) {
            verify(headers, answers);
            benchmark::ClobberMemory();
        }
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
    });
}

// ---- Ways to fill ------------------------------------------------------------------------------------------

using Fill = void (*)(const Headers &);

void fill_in_one_call(const Headers &headers) {
    onesum_ipv4_headers_fill(headers.first, headers.stride, count);
}

void fill_inlined(const Headers &headers) {
    for (std::size_t i = 0; i < count; ++i) {
        unsigned char *header = headers.first + i * headers.stride;
        std::memset(header + 10, 0, 2);
        const std::uint16_t check = onesum_ipv4_header(header, 5);
        std::memcpy(header + 10, &check, 2);
    }
}

void add_fill(const std::string &implementation, Fill fill, const char *select, std::size_t stride) {
    add("batch", implementation, "fill:" + std::to_string(stride), [=](benchmark::State &state) {
        onesum_select(select);
        const Headers headers(stride);
        for (std::size_t i = 0; i < count; ++i) headers.first[i * stride + 10] ^= 1;
        fill(headers);
        if (onesum_ipv4_headers(headers.first, stride, count, nullptr) != 0)
            return state.SkipWithError("wrong on this data");
        for (auto _ : state) {
            fill(headers);
            benchmark::ClobberMemory();
        }
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
    });
}

// ---- Ways to sum many buffers ------------------------------------------------------------------------------

struct Buffers {
    std::vector<unsigned char> memory;
    std::vector<onesum_buffer> list;
};

const Buffers &buffers() {
    static const Buffers all = [] {
        Buffers made{std::vector<unsigned char>(16384), {}};
        std::mt19937 random(2);
        for (unsigned char &byte : made.memory) byte = static_cast<unsigned char>(random());
        for (int i = 0; i < 131000; ++i) {
            const auto drawn = random() % 12;
            const std::size_t size = drawn < 7 ? 40 : drawn < 11 ? 576 : 1500;
            made.list.push_back({&made.memory[random() % (made.memory.size() - size)], size});
        }
        return made;
    }();
    return all;
}

using SumMany = void (*)(const onesum_buffer *, Answers &);

void batch_in_one_call(const onesum_buffer *list, Answers &answers) {
    onesum_batch(list, count, nullptr, answers.data());
}
void one_call_each(const onesum_buffer *list, Answers &answers) {
    for (std::size_t i = 0; i < count; ++i) answers[i] = onesum_checksum(list[i].data, list[i].size);
}

void add_list(const std::string &implementation, SumMany sum, const char *select) {
    add("batch", implementation, "list:mix", [=](benchmark::State &state) {
        onesum_select(select);
        const std::vector<onesum_buffer> &list = buffers().list;
        Answers answers(count);
        std::size_t at = 0;
        for (auto _ : state) {
            sum(&list[at], answers);
            benchmark::ClobberMemory();
            at = at + 2 * count <= list.size() ? at + count : 0;
        }
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
    });
}

const Operation operation{[] {
    for (const Contestant &who : library()) {
        for (const std::size_t stride : strides) {
            add_verify(who.name, in_one_call, who.select, stride);
            add_verify(who.name, by_pointers, who.select, stride, "pointers:");
            add_fill(who.name, fill_in_one_call, who.select, stride);
        }
        add_list(who.name, batch_in_one_call, who.select);
    }
    for (const std::size_t stride : strides) {
        add_verify("inline", inlined, nullptr, stride);
        add_verify("called", called, nullptr, stride);
        add_fill("inline", fill_inlined, nullptr, stride);
    }
    add_list("called", one_call_each, nullptr);
}};

}  // namespace

}  // namespace bench
