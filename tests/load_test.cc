// Many threads, forks and signals while the implementation changes under them. SPDX-License-Identifier: MIT
//
// ONESUM_LOAD_SECONDS says for how long (1 where it is not set).
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "onesum/onesum.h"
#include "reference.h"

namespace {

using Clock = std::chrono::steady_clock;

std::chrono::seconds span() {
    const char *set = std::getenv("ONESUM_LOAD_SECONDS");
    return std::chrono::seconds(set ? std::atoi(set) : 1);
}

std::vector<const char *> supported() {
    std::array<onesum_implementation_info, 64> list;
    std::vector<const char *> names;
    for (std::size_t i = 0, count = onesum_implementations(list.data(), list.size()); i < count; ++i)
        if (list[i].supported) names.push_back(list[i].name);
    return names;
}

// One round of everything that sums, with its own memory; true where all of it is right.
bool all_right(std::mt19937 &random) {
    std::array<unsigned char, 1600> data, copy{};
    const std::size_t size = random() % 1500, offset = random() % 64;
    reference::fill(data.data(), data.size(), reference::Pattern::half_ones, random);
    const std::uint32_t seed = static_cast<std::uint32_t>(random());
    const std::uint32_t expected = reference::partial(&data[offset], size, seed);
    bool right = reference::canonical(onesum_partial(&data[offset], size, seed)) == expected;
    right &= reference::canonical(onesum_copy(&copy[offset], &data[offset], size, seed)) == expected;
    right &= std::memcmp(&copy[offset], &data[offset], size) == 0;
    right &= onesum_checksum(&data[offset], size) == onesum_fold(reference::partial(&data[offset], size, 0));
    const std::size_t cut = size == 0 ? 0 : random() % size;
    onesum_state state;
    onesum_init(&state, seed);
    onesum_update(&state, &data[offset], cut);
    onesum_update(&state, &data[offset + cut], size - cut);
    right &= reference::canonical(onesum_final(&state)) == expected;
    const onesum_buffer list[] = {{&data[offset], cut}, {&data[offset + cut], size - cut}};
    right &= reference::canonical(onesum_partial_iov(list, 2, 0, size, seed)) == expected;
    std::uint16_t checks[2];
    onesum_batch(list, 2, nullptr, checks);
    right &= checks[0] == onesum_fold(reference::partial(&data[offset], cut, 0));
    right &= checks[1] == onesum_fold(reference::partial(&data[offset + cut], size - cut, 0));
    const std::size_t headers = onesum_ipv4_headers(data.data(), 60, 20, nullptr);
    return right && headers <= 20 && onesum_implementation()[0] != '\0' && onesum_version()[0] != '\0' &&
           onesum_forced_status() >= 0;
}

}  // namespace

TEST_CASE("64 threads while others select") {
    const std::vector<const char *> names = supported();
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> rounds{0}, wrong{0};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 64; ++i)
        threads.emplace_back([&, i] {
            std::mt19937 random(i);
            while (!stop.load(std::memory_order_relaxed)) {
                if (i < 2) {
                    const std::size_t which = random() % (names.size() + 2);
                    if (which < names.size())
                        wrong += onesum_select(names[which]) != 0;
                    else
                        wrong += onesum_select(which == names.size() ? nullptr : "nonsense") > 0;
                }
                wrong += !all_right(random);
                ++rounds;
            }
        });
    // Children of a process that is in the middle of it sum as well.
    std::mt19937 random(99);
    const auto end = Clock::now() + span();
    int children = 0;
    do {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) _exit(all_right(random) && onesum_select(nullptr) == 0 && all_right(random) ? 0 : 1);
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        REQUIRE(status == 0);
        ++children;
        random.discard(4000);
    } while (Clock::now() < end);
    stop = true;
    for (std::thread &thread : threads) thread.join();
    onesum_select(nullptr);
    MESSAGE(rounds.load() << " rounds, " << children << " forks");
    CHECK(wrong == 0);
    CHECK(rounds > 64);
}

namespace {

std::atomic<int> signals{0}, signals_wrong{0};

void on_signal(int) {
    static constexpr unsigned char data[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7, 0x22, 0x0d};
    signals_wrong += onesum_checksum(data, sizeof data) != 0;
    ++signals;
}

}  // namespace

TEST_CASE("a signal handler that sums, in the middle of sums") {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    REQUIRE(sigaction(SIGALRM, &action, nullptr) == 0);
    const itimerval often{{0, 500}, {0, 500}}, never{};
    REQUIRE(setitimer(ITIMER_REAL, &often, nullptr) == 0);
    std::mt19937 random(7);
    const std::vector<const char *> names = supported();
    const auto end = Clock::now() + span();
    bool right = true;
    for (std::size_t i = 0; Clock::now() < end; ++i) {
        onesum_select(names[i % names.size()]);
        right &= all_right(random);
    }
    setitimer(ITIMER_REAL, &never, nullptr);
    onesum_select(nullptr);
    CHECK(right);
    CHECK(signals > 0);
    CHECK(signals_wrong == 0);
}
