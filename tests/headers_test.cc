// Many IPv4 headers in one call. SPDX-License-Identifier: MIT
#include "lists/headers.h"

#include <doctest/doctest.h>
#include <onesum/onesum.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "dispatch/kernel.h"
#include "lists/blocks.h"
#include "reference.h"

using onesum::lists::Ask;
using onesum::lists::AtPointers;
using onesum::lists::AtStride;
using onesum::lists::Method;
using onesum::lists::methods;
using Bytes = std::vector<unsigned char>;

namespace {

std::size_t words_of(const unsigned char *header) { return header[0] & 0x0f; }

// RFC 791 section 3.1 from the byte-wise definition: what is due for one header.
std::uint16_t result_due(const unsigned char *header) {
    if (words_of(header) < 5) return 0xffff;
    return onesum_fold(reference::partial(header, words_of(header) * 4, 0));
}
std::uint16_t check_due(const unsigned char *header) {
    Bytes zeroed(header, header + std::max<std::size_t>(20, words_of(header) * 4));
    std::uint16_t stored;
    std::memcpy(&stored, &zeroed[10], 2);
    if (words_of(header) < 5) return stored;
    zeroed[10] = zeroed[11] = 0;
    return onesum_fold(reference::partial(zeroed.data(), words_of(header) * 4, 0));
}
std::uint16_t stored_in(const unsigned char *header) {
    std::uint16_t stored;
    std::memcpy(&stored, header + 10, 2);
    return stored;
}

// Random bytes as `count` headers; one in `odd_ones` has any IHL, the others 5. In every other call most bytes
// are those that a header begins with, so that one that is looked for in a wrong place is found.
void make(unsigned char *headers, std::size_t stride, std::size_t count, unsigned odd_ones,
          std::mt19937 &random) {
    const bool alike = random() % 2;
    for (std::size_t i = 0; i < count; ++i) {
        unsigned char *header = headers + i * stride;
        reference::fill(header, 20, reference::patterns[random() % 4], random);
        if (alike) std::memset(header, 0x45, 17);
        header[0] = static_cast<unsigned char>(0x40 | (random() % odd_ones == 0 ? random() % 16 : 5));
        if (i + 1 == count || words_of(header) * 4 > stride) header[0] = 0x45;
        if (random() % 3 == 0) {
            const std::uint16_t check = check_due(header);
            std::memcpy(header + 10, &check, 2);
        }
    }
}

const std::size_t strides[] = {20, 21, 24, 60, 64, 128, 1501, 2048, 4096};

}  // namespace

TEST_CASE("each method against the definition, flush against unreadable pages") {
    const onesum::dispatch::Features have = onesum::dispatch::probe();
    int ran = 0;
    for (const Method &method : methods) {
        if (method.needs & ~have) {
            MESSAGE("skipped: this CPU cannot run method ", static_cast<int>(&method - methods.data()));
            continue;
        }
        ++ran;
        CAPTURE(&method - methods.data());
        std::mt19937 random(21);
        for (const std::size_t stride : strides)
            for (const unsigned odd_ones : {1u, 3u, 40u, 1000000u})
                for (std::size_t count = 0; count <= 3 * onesum::lists::block + 1; ++count) {
                    CAPTURE(stride);
                    CAPTURE(count);
                    const std::size_t size = count == 0 ? 0 : (count - 1) * stride + 20;
                    reference::Guarded memory(size);
                    for (unsigned char *headers : {memory.begin(), memory.last(size)}) {
                        make(headers, stride, count, odd_ones, random);
                        std::vector<const void *> list;
                        std::vector<std::uint16_t> results, checks;
                        for (std::size_t i = 0; i < count; ++i) {
                            list.push_back(headers + i * stride);
                            results.push_back(result_due(headers + i * stride));
                            checks.push_back(check_due(headers + i * stride));
                        }
                        std::vector<std::uint16_t> got(count + 1, 0x5a5a);
                        const AtStride at_stride{reinterpret_cast<const char *>(headers), stride};
                        const auto same = [&](const std::vector<std::uint16_t> &due) {
                            return std::equal(due.begin(), due.end(), got.begin()) && got.back() == 0x5a5a;
                        };
                        const std::size_t wrong =
                            count - static_cast<std::size_t>(std::count(results.begin(), results.end(), 0));
                        REQUIRE(method.at_stride(at_stride, count, Ask::result, got.data()) == wrong);
                        REQUIRE(same(results));
                        REQUIRE(method.at_stride(at_stride, count, Ask::result, nullptr) == wrong);
                        method.at_stride(at_stride, count, Ask::check, got.data());
                        REQUIRE(same(checks));
                        REQUIRE(method.at_pointers(AtPointers{list.data()}, count, Ask::result, got.data()) ==
                                wrong);
                        REQUIRE(same(results));
                        REQUIRE(method.at_pointers(AtPointers{list.data()}, count, Ask::result, nullptr) ==
                                wrong);
                        method.at_pointers(AtPointers{list.data()}, count, Ask::check, got.data());
                        REQUIRE(same(checks));
                    }
                }
    }
    CHECK(ran >= 1);
}

TEST_CASE("one header that is not plain at each place among plain ones") {
    const onesum::dispatch::Features have = onesum::dispatch::probe();
    constexpr std::size_t count = 3 * onesum::lists::block + 5;
    std::mt19937 random(24);
    for (const Method &method : methods) {
        if (method.needs & ~have) continue;
        CAPTURE(&method - methods.data());
        for (const std::size_t stride : {60, 64, 2048}) {
            CAPTURE(stride);
            Bytes memory(count * stride + 64);
            const AtStride at_stride{reinterpret_cast<const char *>(memory.data()), stride};
            std::vector<const void *> list;
            for (std::size_t i = 0; i < count; ++i) list.push_back(&memory[i * stride]);
            const AtPointers at_pointers{list.data()};
            for (std::size_t place = 0; place < count; ++place)
                for (const unsigned char first : {0x46, 0x4f, 0x44, 0x40, 0x65, 0x55, 0x05, 0x54}) {
                    CAPTURE(place);
                    CAPTURE(static_cast<int>(first));
                    make(memory.data(), stride, count, 1000000, random);
                    for (std::size_t i = 0; i < count; ++i) memory[i * stride] = 0x45;
                    memory[place * stride] = first;
                    std::vector<std::uint16_t> results, checks, got(count);
                    for (std::size_t i = 0; i < count; ++i) {
                        results.push_back(result_due(&memory[i * stride]));
                        checks.push_back(check_due(&memory[i * stride]));
                    }
                    const std::size_t wrong =
                        count - static_cast<std::size_t>(std::count(results.begin(), results.end(), 0));
                    REQUIRE(method.at_stride(at_stride, count, Ask::result, got.data()) == wrong);
                    REQUIRE(got == results);
                    REQUIRE(method.at_stride(at_stride, count, Ask::result, nullptr) == wrong);
                    method.at_stride(at_stride, count, Ask::check, got.data());
                    REQUIRE(got == checks);
                    REQUIRE(method.at_pointers(at_pointers, count, Ask::result, got.data()) == wrong);
                    REQUIRE(got == results);
                    method.at_pointers(at_pointers, count, Ask::check, got.data());
                    REQUIRE(got == checks);
                }
        }
    }
}

TEST_CASE("one wrong header at each place among right ones") {
    const onesum::dispatch::Features have = onesum::dispatch::probe();
    std::mt19937 random(25);
    for (const Method &method : methods) {
        if (method.needs & ~have) continue;
        CAPTURE(&method - methods.data());
        for (const std::size_t stride : {20, 2048})
            for (const std::size_t count : {1, 15, 16, 17, 53, 64, 600}) {
                CAPTURE(stride);
                CAPTURE(count);
                Bytes memory(count * stride + 64);
                make(memory.data(), stride, count, 1000000, random);
                std::vector<const void *> list;
                for (std::size_t i = 0; i < count; ++i) {
                    memory[i * stride] = 0x45;
                    const std::uint16_t check = check_due(&memory[i * stride]);
                    std::memcpy(&memory[i * stride + 10], &check, 2);
                    list.push_back(&memory[i * stride]);
                }
                const AtStride at_stride{reinterpret_cast<const char *>(memory.data()), stride};
                const AtPointers at_pointers{list.data()};
                std::vector<std::uint16_t> got(count);
                const auto wrong = [&](std::uint16_t *to) {
                    const std::size_t by_stride = method.at_stride(at_stride, count, Ask::result, to);
                    REQUIRE(method.at_pointers(at_pointers, count, Ask::result, to) == by_stride);
                    return by_stride;
                };
                REQUIRE(wrong(got.data()) == 0);
                REQUIRE(wrong(nullptr) == 0);
                for (std::size_t place = 0; place < count; ++place) {
                    CAPTURE(place);
                    unsigned char *const header = &memory[place * stride];
                    header[place % 20 == 0 ? 1 : place % 20] ^= 0x10;
                    REQUIRE(wrong(got.data()) == 1);
                    REQUIRE(got[place] == result_due(header));
                    REQUIRE(wrong(nullptr) == 1);
                    header[place % 20 == 0 ? 1 : place % 20] ^= 0x10;
                }
            }
    }
}

TEST_CASE("every value that is not 0 is counted, whichever bit it has") {
    const onesum::dispatch::Features have = onesum::dispatch::probe();
    constexpr std::size_t count = 3 * onesum::lists::block;
    std::mt19937 random(23);
    for (const Method &method : methods) {
        if (method.needs & ~have) continue;
        CAPTURE(&method - methods.data());
        for (unsigned bit = 0; bit < 16; ++bit) {
            CAPTURE(bit);
            std::vector<unsigned char> headers(count * 20);
            std::vector<const void *> list;
            for (std::size_t i = 0; i < count; ++i) {
                unsigned char *header = &headers[i * 20];
                reference::fill(header, 20, reference::Pattern::random, random);
                header[0] = 0x45;
                // What is due, less what is to come out, by the carry that goes around.
                std::uint32_t check = check_due(header);
                if (i % 7 == 0) check = (check + 0xffff - (1u << bit)) % 0xffff;
                const auto stored = static_cast<std::uint16_t>(check);
                std::memcpy(header + 10, &stored, 2);
                list.push_back(header);
                REQUIRE(result_due(header) == (i % 7 == 0 ? 1u << bit : 0));
            }
            std::vector<std::uint16_t> got(count);
            const AtStride at_stride{reinterpret_cast<const char *>(headers.data()), 20};
            REQUIRE(method.at_stride(at_stride, count, Ask::result, got.data()) == (count + 6) / 7);
            REQUIRE(method.at_pointers(AtPointers{list.data()}, count, Ask::result, got.data()) ==
                    (count + 6) / 7);
        }
    }
}

TEST_CASE("headers with options, each flush against an unreadable page") {
    const reference::Guarded memory(64);
    constexpr std::size_t many = onesum::lists::block + 1;
    std::mt19937 random(22);
    for (std::size_t words = 5; words <= 15; ++words) {
        unsigned char *header = memory.last(words * 4);
        for (int round = 0; round < 100; ++round) {
            reference::fill(header, words * 4, reference::patterns[round % 4], random);
            header[0] = static_cast<unsigned char>(0x40 | words);
            std::vector<const void *> list(many, header);
            std::vector<std::uint16_t> results(many);
            REQUIRE(onesum_ipv4_headers_list(list.data(), many, results.data()) ==
                    (result_due(header) == 0 ? 0 : many));
            for (std::uint16_t result : results) REQUIRE(result == result_due(header));
        }
    }
}

TEST_CASE("verify and fill, with every implementation") {
    std::mt19937 random(23);
    for (const onesum::dispatch::Kernel &kernel : onesum::dispatch::kernels) {
        if (onesum_select(kernel.name) != 0) continue;
        CAPTURE(kernel.name);
        for (const std::size_t stride : strides)
            for (const std::size_t count : {0, 1, 7, 16, 100, 255, 256, 257, 1000}) {
                CAPTURE(stride);
                CAPTURE(count);
                Bytes memory(count * stride + 64, 0x5a);
                make(memory.data(), stride, count, 5, random);
                const Bytes before = memory;
                std::vector<std::uint16_t> results(count);
                std::size_t wrong = 0;
                for (std::size_t i = 0; i < count; ++i) wrong += result_due(&memory[i * stride]) != 0;
                REQUIRE(onesum_ipv4_headers(memory.data(), stride, count, results.data()) == wrong);
                REQUIRE(onesum_ipv4_headers(memory.data(), stride, count, nullptr) == wrong);
                for (std::size_t i = 0; i < count; ++i) REQUIRE(results[i] == result_due(&memory[i * stride]));
                REQUIRE(memory == before);

                // Filled, nothing but the fields has changed, and all that are headers are right.
                onesum_ipv4_headers_fill(memory.data(), stride, count);
                Bytes due = before;
                std::size_t no_headers = 0;
                std::vector<void *> list;
                for (std::size_t i = 0; i < count; ++i) {
                    const std::uint16_t check = check_due(&before[i * stride]);
                    std::memcpy(&due[i * stride + 10], &check, 2);
                    no_headers += words_of(&before[i * stride]) < 5;
                    list.push_back(&memory[i * stride]);
                }
                REQUIRE(memory == due);
                REQUIRE(onesum_ipv4_headers(memory.data(), stride, count, nullptr) == no_headers);

                memory = before;
                onesum_ipv4_headers_fill_list(list.data(), count);
                REQUIRE(memory == due);
                std::shuffle(list.begin(), list.end(), random);
                REQUIRE(onesum_ipv4_headers_list(list.data(), count, nullptr) == no_headers);
            }
    }
    onesum_select(nullptr);
}

TEST_CASE("literal headers") {
    // Three of 24 bytes: with options, without, and one whose IHL says 4 words.
    Bytes headers = {0x46, 0x00, 0x00, 0x23, 0x00, 0x01, 0x00, 0x00, 0x40, 0x11, 0x63, 0xc5,
                     0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x00, 0x02, 0x01, 0x01, 0x01, 0x01,  //
                     0x45, 0x00, 0x00, 0x1e, 0x00, 0x01, 0x00, 0x00, 0x40, 0x11, 0x66, 0xcd,
                     0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x00, 0x02, 0xee, 0xee, 0xee, 0xee,  //
                     0x44, 0x00, 0x00, 0x1e, 0x00, 0x01, 0x00, 0x00, 0x40, 0x11, 0x12, 0x34,
                     0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x00, 0x02, 0xee, 0xee, 0xee, 0xee};
    std::uint16_t results[3];
    CHECK(onesum_ipv4_headers(headers.data(), 24, 3, results) == 2);
    CHECK(results[0] == 0);
    CHECK(reference::network(results[1]) == 0xfffe);
    CHECK(results[2] == 0xffff);
    onesum_ipv4_headers_fill(headers.data(), 24, 3);
    CHECK(reference::network(stored_in(&headers[0])) == 0x63c5);
    CHECK(reference::network(stored_in(&headers[24])) == 0x66cc);
    CHECK(reference::network(stored_in(&headers[48])) == 0x1234);
    CHECK(onesum_ipv4_headers(headers.data(), 24, 3, nullptr) == 1);

    // Where the other bytes sum to 0xffff the checksum is 0, never 0xffff, whatever was in the field.
    for (const unsigned char old : {0x00, 0x12, 0xff}) {
        Bytes zero(20 * 16, 0);
        for (std::size_t i = 0; i < 16; ++i) {
            zero[i * 20] = 0x45;
            zero[i * 20 + 2] = 0xba;
            zero[i * 20 + 3] = 0xff;
            zero[i * 20 + 10] = zero[i * 20 + 11] = old;
        }
        for (const onesum::dispatch::Kernel &kernel : onesum::dispatch::kernels) {
            if (onesum_select(kernel.name) != 0) continue;
            Bytes filled = zero;
            onesum_ipv4_headers_fill(filled.data(), 20, 16);
            for (std::size_t i = 0; i < 16; ++i) REQUIRE(stored_in(&filled[i * 20]) == 0);
        }
        onesum_select(nullptr);
    }
}
