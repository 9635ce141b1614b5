// Choosing, forcing and first use. SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <pthread.h>
#include <signal.h>
#if !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>
#endif
#if defined(__linux__)
#include <setjmp.h>
#include <sys/prctl.h>
#endif

#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "dispatch/calls.h"
#include "dispatch/kernel.h"
#include "onesum/onesum.h"
#include "reference.h"

using namespace onesum::dispatch;

namespace {

constexpr unsigned char sample[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};  // RFC 1071 section 3
const std::uint16_t sample_checksum = reference::network(0x220d);

#if !defined(_WIN32)
// Whether a child whose first call selects, or asks for the forced name's status, knows that name.
bool first_call_knows_forced_name(bool selects) {
    const pid_t child = fork();
    if (child == 0) {
        setenv("ONESUM_FORCE_IMPLEMENTATION", "generic", 1);
        if (selects && onesum_select("generic") != 0) _exit(2);
        _exit(onesum_forced_status() == ONESUM_FORCED_ACTIVE ? 0 : 1);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0;
}
bool early_select_right, early_status_right;
#endif

// Before the library's own constructor has run (this test links its objects, so constructors go by priority),
// 16 threads make the first call at once.
std::array<std::uint16_t, 16> first_checksums;
std::array<std::uint16_t, 16> first_copies;

[[gnu::constructor(101)]] void call_early() {
#if !defined(_WIN32)
    early_select_right = first_call_knows_forced_name(true);
    early_status_right = first_call_knows_forced_name(false);
#endif
    static pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 16);
    pthread_t threads[16];
    for (std::uintptr_t i = 0; i < 16; ++i)
        pthread_create(
            &threads[i], nullptr,
            [](void *at) -> void * {
                const auto index = reinterpret_cast<std::uintptr_t>(at);
                unsigned char copy[sizeof sample];
                pthread_barrier_wait(&barrier);
                if (index % 2) {
                    first_checksums[index] = onesum_checksum(sample, sizeof sample);
                    first_copies[index] = onesum_fold(onesum_copy(copy, sample, sizeof sample, 0));
                } else {
                    first_copies[index] = onesum_fold(onesum_copy(copy, sample, sizeof sample, 0));
                    first_checksums[index] = onesum_checksum(sample, sizeof sample);
                }
                return nullptr;
            },
            reinterpret_cast<void *>(i));
    for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

std::uint32_t no_sum(const void *, std::size_t, std::uint32_t) { return 0; }
std::uint32_t no_copy(void *, const void *, std::size_t, std::uint32_t) { return 0; }

constexpr Kernel invented[] = {
    {"widest", "avx512f | avx512bw", feature::avx512f | feature::avx512bw, no_sum, no_copy},
    {"wide", "avx2", feature::avx2, no_sum, no_copy},
    {"plain", "none", feature::none, no_sum, no_copy},
};

constexpr std::string_view name_chosen(Features have, std::string_view wanted) {
    return choose(invented, have, wanted).kernel->name;
}

static_assert(name_chosen(feature::none, "") == "plain");
static_assert(name_chosen(feature::avx2, "") == "wide");
static_assert(name_chosen(feature::avx2 | feature::avx512f, "") == "wide");
static_assert(name_chosen(feature::avx512f | feature::avx512bw, "") == "widest");
static_assert(name_chosen(~Features{0}, "") == "widest");
static_assert(name_chosen(~Features{0}, "plain") == "plain");
static_assert(name_chosen(feature::avx2, "widest") == "wide");
static_assert(name_chosen(feature::avx2, "nonsense") == "wide");
static_assert(choose(invented, feature::avx2, "").forced == Forced::none);
static_assert(choose(invented, feature::avx2, "wide").forced == Forced::active);
static_assert(choose(invented, feature::avx2, "widest").forced == Forced::unsupported);
static_assert(choose(invented, feature::avx2, "Wide").forced == Forced::unknown);
static_assert(choose(invented, feature::avx2, "wid").forced == Forced::unknown);

}  // namespace

TEST_CASE("16 threads at once, before the library's constructor") {
    for (std::uint16_t checksum : first_checksums) CHECK(checksum == sample_checksum);
    for (std::uint16_t checksum : first_copies) CHECK(checksum == sample_checksum);
#if !defined(_WIN32)
    CHECK(early_select_right);
    CHECK(early_status_right);
#endif
}

TEST_CASE("the table is well-formed") {
    REQUIRE(!kernels.empty());
    CHECK(std::string(kernels.back().name) == "generic");
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        CAPTURE(kernels[i].name);
        CHECK(find(kernels, kernels[i].name) == &kernels[i]);
        for (std::size_t j = 0; j < i; ++j) CHECK((kernels[i].sum != kernels[j].sum));
    }
    CHECK(find(kernels, "nonsense") == nullptr);
}

#if defined(__linux__) && defined(__x86_64__)
TEST_CASE("the features are those that the system sees") {
    std::ifstream file("/proc/cpuinfo");
    std::string line, model, flags;
    while (std::getline(file, line) && (model.empty() || flags.empty())) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != line.npos) model = line.substr(colon + 2);
        if (line.starts_with("flags") && colon != line.npos) flags = line.substr(colon + 1) + ' ';
    }
    char name[64];
    cpu_name(name, sizeof name);
    std::string own = name;
    own.erase(own.find_last_not_of(' ') + 1);
    if (own.empty() || own != model) {
        MESSAGE("skipped: an emulator shows another processor than /proc/cpuinfo");
        return;
    }
    for (unsigned bit = 0; bit < feature::count; ++bit) {
        std::string feature = feature_name(bit);
        CAPTURE(feature);
        if (feature == "lzcnt") feature = "abm";  // as AMD names it
        CHECK((probe() >> bit & 1) == (flags.find(' ' + feature + ' ') != flags.npos));
    }
    CHECK(feature_name(feature::count) == nullptr);
}
#endif

#if defined(__linux__) && defined(__aarch64__)
TEST_CASE("the features are those that the system sees") {
    // It refuses to say how long vectors are that there are not.
    const int length = prctl(PR_SVE_GET_VL);
    CHECK(((probe() & feature::sve) != 0) == (length >= 0));
    CHECK(((probe() & feature::sve_wide) != 0) == (length >= 0 && (length & PR_SVE_VL_LEN_MASK) >= 32));
    CHECK((probe() & feature::asimd) != 0);  // this test's own code uses them
}
#elif defined(__linux__) && defined(__riscv)
namespace {
sigjmp_buf illegal;
}

TEST_CASE("the features are those that the system sees") {
    // Where there are no vectors, asking for their length is an illegal instruction.
    signal(SIGILL, [](int) { siglongjmp(illegal, 1); });
    volatile bool there = false;
    if (sigsetjmp(illegal, 1) == 0) {
        std::uint64_t bytes;
        asm volatile("csrr %0, 0xc22" : "=r"(bytes));  // vlenb
        there = bytes != 0;
    }
    signal(SIGILL, SIG_DFL);
    CHECK(((probe() & feature::v) != 0) == there);
}
#endif

TEST_CASE("the processor's name is cut where there is no room for it") {
    char whole[200], cut[6];
    cpu_name(whole, sizeof whole);
    for (std::size_t size = 1; size <= 5; ++size) {
        std::memset(cut, 'x', sizeof cut);
        cpu_name(cut, size);
        CHECK(std::string(cut) == std::string(whole).substr(0, size - 1));
        CHECK(cut[size] == 'x');
    }
    cpu_name(cut, 0);
    CHECK(cut[0] == whole[0]);
}

TEST_CASE("every combination of features has a row that it can run") {
    for (Features have = 0; have < Features{1} << 12; ++have) {
        // Spread the 12 bits over all of them: neighbours together.
        Features spread = 0;
        for (unsigned bit = 0; bit < feature::count; ++bit)
            if (have >> (bit / 2) & 1) spread |= Features{1} << bit;
        const Choice choice = choose(kernels, spread, "");
        REQUIRE(choice.kernel->runs_on(spread));
    }
}

TEST_CASE("the list of implementations says what is") {
    std::vector<onesum_implementation_info> list(onesum_implementations(nullptr, 0));
    REQUIRE(list.size() == kernels.size());
    CHECK(onesum_implementations(list.data(), list.size()) == list.size());
    int active = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        CHECK(std::string(list[i].name) == kernels[i].name);
        CHECK(list[i].supported == kernels[i].runs_on(probe()));
        if (list[i].active) CHECK(std::string(list[i].name) == onesum_implementation());
        active += list[i].active;
    }
    CHECK(active == 1);
    // A list that is too short is filled as far as it goes.
    onesum_implementation_info one[2] = {};
    CHECK(onesum_implementations(one, 1) == kernels.size());
    CHECK(one[0].name != nullptr);
    CHECK(one[1].name == nullptr);
}

TEST_CASE("select") {
    const std::string automatic = choose(kernels, probe(), "").kernel->name;
    for (const Kernel &kernel : kernels) {
        CAPTURE(kernel.name);
        const std::string before = onesum_implementation();
        if (kernel.runs_on(probe())) {
            CHECK(onesum_select(kernel.name) == 0);
            CHECK(std::string(onesum_implementation()) == kernel.name);
            CHECK(onesum_checksum(sample, sizeof sample) == sample_checksum);
        } else {
            CHECK(onesum_select(kernel.name) == ONESUM_UNSUPPORTED);
            CHECK(onesum_implementation() == before);
        }
    }
    const std::string before = onesum_implementation();
    CHECK(onesum_select("nonsense") == ONESUM_UNKNOWN);
    CHECK(onesum_select("") == ONESUM_UNKNOWN);
    CHECK(onesum_implementation() == before);
    CHECK(onesum_select(nullptr) == 0);
    CHECK(onesum_implementation() == automatic);
}

TEST_CASE("select under running threads") {
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            unsigned char copy[sizeof sample];
            while (!stop.load()) {
                if (onesum_checksum(sample, sizeof sample) != sample_checksum) ++wrong;
                if (onesum_fold(onesum_copy(copy, sample, sizeof sample, 0)) != sample_checksum) ++wrong;
            }
        });
    for (int round = 0; round < 2000; ++round) onesum_select(kernels[round % kernels.size()].name);
    stop = true;
    for (std::thread &thread : threads) thread.join();
    CHECK(wrong == 0);
    onesum_select(nullptr);
}

#if !defined(_WIN32)
TEST_CASE("after fork, and in a signal handler") {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) _exit(onesum_checksum(sample, sizeof sample) == sample_checksum ? 0 : 1);
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);

    static volatile std::uint16_t in_handler;
    in_handler = 0;
    signal(SIGUSR1, [](int) { in_handler = onesum_checksum(sample, sizeof sample); });
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_DFL);
    CHECK(in_handler == sample_checksum);
}
#endif

namespace {

const Kernel &plain = kernels.back();

// A sum that is wrong at one size.
template <std::size_t where>
std::uint32_t sum_wrong_at(const void *data, std::size_t size, std::uint32_t seed) {
    return plain.sum(data, size, seed) + (size == where);
}
template <std::size_t where>
std::uint32_t copy_wrong_at(void *dst, const void *src, std::size_t size, std::uint32_t seed) {
    return plain.copy(dst, src, size, seed) + (size == where);
}
// A copy that changes a byte behind it or before it, or leaves the last one as it was.
std::uint32_t copy_too_far(void *dst, const void *src, std::size_t size, std::uint32_t seed) {
    static_cast<unsigned char *>(dst)[size] = 0;
    return plain.copy(dst, src, size, seed);
}
std::uint32_t copy_too_early(void *dst, const void *src, std::size_t size, std::uint32_t seed) {
    static_cast<unsigned char *>(dst)[-1] = 0;
    return plain.copy(dst, src, size, seed);
}
std::uint32_t copy_too_little(void *dst, const void *src, std::size_t size, std::uint32_t seed) {
    plain.copy(dst, src, size - (size != 0), seed);
    return plain.sum(src, size, seed);
}
// What other libraries got wrong: the carries of a long run of ones, the odd byte, the other zero.
std::uint32_t sum_without_carries(const void *data, std::size_t size, std::uint32_t seed) {
    const auto *bytes = static_cast<const unsigned char *>(data);
    std::uint16_t sum = static_cast<std::uint16_t>(seed + (seed >> 16));
    for (std::size_t i = 0; i < size; ++i)
        sum = static_cast<std::uint16_t>(sum + reference::byte_value(bytes[i], i));
    return sum;
}
std::uint32_t sum_of_even_bytes(const void *data, std::size_t size, std::uint32_t seed) {
    return plain.sum(data, size & ~std::size_t{1}, seed);
}
std::uint32_t sum_never_zero(const void *data, std::size_t size, std::uint32_t seed) {
    const std::uint32_t sum = plain.sum(data, size, seed);
    return sum ? sum : 0xffff;
}

}  // namespace

TEST_CASE("the self-test sees a kernel that is wrong") {
    CHECK(onesum_calls_are_right({plain.sum, plain.copy}) == 1);
    for (const auto sum : {sum_wrong_at<0>, sum_wrong_at<1>, sum_wrong_at<320>, sum_wrong_at<4033>,
                           sum_wrong_at<4096>, sum_without_carries, sum_of_even_bytes, sum_never_zero})
        CHECK(onesum_calls_are_right({sum, plain.copy}) == 0);
    for (const auto copy : {copy_wrong_at<0>, copy_wrong_at<1>, copy_wrong_at<320>, copy_wrong_at<4033>,
                            copy_wrong_at<4096>, copy_too_far, copy_too_early, copy_too_little})
        CHECK(onesum_calls_are_right({plain.sum, copy}) == 0);
}

TEST_CASE("the self-test finds nothing wrong, in every implementation") { CHECK(onesum_selftest() == nullptr); }

TEST_CASE("the version is the header's") {
    CHECK(std::string(onesum_version()) == std::to_string(ONESUM_VERSION_MAJOR) + "." +
                                               std::to_string(ONESUM_VERSION_MINOR) + "." +
                                               std::to_string(ONESUM_VERSION_PATCH));
}
