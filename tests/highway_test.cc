// The rows of Highway's kernels against what Highway compiles them with. SPDX-License-Identifier: MIT
#include "hwy/highway.h"

#include <doctest/doctest.h>

#include <string_view>

#include "dispatch/kernel.h"

using namespace onesum::dispatch;

namespace {

// Highway's names are the compiler's, which differ from /proc/cpuinfo's here; what every x86-64 has is "".
std::string_view as_in_cpuinfo(std::string_view name) {
    if (name == "sse2") return "";
    if (name == "sse4.1") return "sse4_1";
    if (name == "sse4.2") return "sse4_2";
    if (name == "pclmul") return "pclmulqdq";
    if (name == "bmi") return "bmi1";
    return name;
}

Features feature_named(std::string_view name) {
    for (unsigned bit = 0; bit < feature::count; ++bit)
        if (name == feature_name(bit)) return Features{1} << bit;
    FAIL("a feature that the dispatch does not know: ", name);
    return 0;
}

// Every feature of a list joined by commas.
Features features_of(std::string_view list) {
    Features all = 0;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const std::string_view name = as_in_cpuinfo(list.substr(0, comma));
        if (!name.empty()) all |= feature_named(name);
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return all;
}

}  // namespace

TEST_CASE("a row needs every feature that its code is compiled with") {
    const struct {
        const char *name, *attributes;
        Features more;
    } rows[] = {
        {"ssse3", HWY_TARGET_STR_SSSE3, 0},
        {"avx2", HWY_TARGET_STR_AVX2, 0},
        {"avx_vnni", HWY_TARGET_STR_AVX2, feature::avx_vnni},
        {"avx512", HWY_TARGET_STR_AVX3, 0},
        {"avx512_vnni", HWY_TARGET_STR_AVX3, feature::avx512_vnni},
    };
    for (const auto &row : rows) {
        CAPTURE(row.name);
        const Kernel *kernel = find(kernels, row.name);
        REQUIRE(kernel);
        const Features compiled = features_of(row.attributes) | row.more;
        CHECK(compiled != 0);
        CHECK((compiled & ~kernel->needs) == 0);
    }
}
