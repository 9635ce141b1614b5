// What the library's own tests want to know of the dispatch, told by the amalgamation. SPDX-License-Identifier:
// MIT
//
// Its kernels cannot be reached but through its public functions: a row's calls go to whatever is in use, and
// the tests that want a certain one force or select it.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "dispatch/kernel.h"
#include "lists/headers.h"
#include "onesum/onesum.h"

namespace onesum::dispatch {

namespace {

constexpr Features missing = 1;

std::array<Kernel, 8> rows;

std::span<const Kernel> listed() {
    onesum_implementation_info list[rows.size()];
    const std::size_t count = onesum_implementations(list, rows.size());
    for (std::size_t i = 0; i < count; ++i)
        rows[i] = {list[i].name, list[i].needs, list[i].supported ? feature::none : missing, onesum_partial,
                   onesum_copy};
    return {rows.data(), count};
}

}  // namespace

const std::span<const Kernel> kernels = listed();

Features probe() { return feature::none; }

}  // namespace onesum::dispatch

namespace onesum::lists {

namespace {

// The methods that the library has beside its calls are none here.
template <typename Headers>
std::size_t by_calls(Headers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    std::size_t not_zero = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const void *header = headers[i];
        not_zero += onesum_ipv4_headers_list(&header, 1, answers ? &answers[i] : nullptr);
        if (ask == Ask::result) continue;
        unsigned char filled[60];
        std::memcpy(filled, header, std::max(5, headers[i][0] & 0x0f) * 4);
        onesum_ipv4_headers_fill(filled, sizeof filled, 1);
        std::memcpy(&answers[i], filled + 10, sizeof answers[i]);
    }
    return not_zero;
}

constexpr Method rows[] = {{dispatch::feature::none, by_calls<AtPointers>, by_calls<AtStride>}};

}  // namespace

constinit const std::span<const Method> methods{rows};

}  // namespace onesum::lists

TEST_CASE("an implementation is selected by its name where the CPU has what it needs") {
    const std::string at_first = onesum_implementation();
    onesum_implementation_info list[8];
    const std::size_t count = onesum_implementations(list, 8);
    REQUIRE(count <= 8);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string before = onesum_implementation(), name = list[i].name;
        CHECK(onesum_select(list[i].name) == (list[i].supported ? 0 : ONESUM_UNSUPPORTED));
        CHECK(onesum_implementation() == (list[i].supported ? name : before));
    }
    CHECK(std::string(onesum_implementation()) == "generic");
    CHECK(onesum_select("nonsense") == ONESUM_UNKNOWN);
    CHECK(onesum_select("") == ONESUM_UNKNOWN);
    CHECK(std::string(onesum_implementation()) == "generic");
    CHECK(onesum_select(nullptr) == 0);
    onesum_implementations(list, 8);
    const auto *const best = std::find_if(list, list + count, [](const auto &one) { return one.supported; });
    CHECK(std::string(onesum_implementation()) == best->name);
    CHECK(best->active == 1);
    onesum_select(at_first.c_str());
}
