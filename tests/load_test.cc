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

#include "onesum/gso.h"
#include "onesum/onesum.h"
#include "onesum/packet.h"
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

// Bytes at an offset, and a copy of as many.
struct Room {
    explicit Room(std::mt19937 &random) : size(random() % 1500), offset(random() % 64) {
        reference::fill(data.data(), data.size(), reference::Pattern::half_ones, random);
    }
    const unsigned char *begin() const { return &data[offset]; }
    std::array<unsigned char, 1600> data, copy{};
    std::size_t size, offset;
};

// Each is one round of some functions, with memory of its own; true where all of it is right.

bool sums_right(std::mt19937 &random) {
    Room room(random);
    const std::uint32_t seed = static_cast<std::uint32_t>(random());
    const std::uint32_t expected = reference::partial(room.begin(), room.size, seed);
    bool right = reference::canonical(onesum_partial(room.begin(), room.size, seed)) == expected;
    right &= reference::canonical(onesum_copy(room.copy.data(), room.begin(), room.size, seed)) == expected;
    right &= std::memcmp(room.copy.data(), room.begin(), room.size) == 0;
    return right && onesum_checksum(room.begin(), room.size) ==
                        onesum_fold(reference::partial(room.begin(), room.size, 0));
}

bool lists_right(std::mt19937 &random) {
    Room room(random);
    const std::uint32_t seed = static_cast<std::uint32_t>(random());
    const std::uint32_t expected = reference::partial(room.begin(), room.size, seed);
    const std::size_t cut = room.size == 0 ? 0 : random() % room.size;
    onesum_state state;
    onesum_init(&state, seed);
    onesum_update(&state, room.begin(), cut);
    onesum_update(&state, room.begin() + cut, room.size - cut);
    bool right = reference::canonical(onesum_final(&state)) == expected;
    const onesum_buffer list[] = {{room.begin(), cut}, {room.begin() + cut, room.size - cut}};
    right &= reference::canonical(onesum_partial_iov(list, 2, 0, room.size, seed)) == expected;
    const onesum_writable to[] = {{&room.copy[0], room.size - cut}, {&room.copy[room.size - cut], cut}};
    right &= reference::canonical(onesum_copy_iov(to, 2, 0, list, 2, 0, room.size, seed)) == expected;
    right &= std::memcmp(room.copy.data(), room.begin(), room.size) == 0;
    std::uint16_t checks[2];
    onesum_batch(list, 2, nullptr, checks);
    right &= checks[0] == onesum_fold(reference::partial(room.begin(), cut, 0));
    right &= checks[1] == onesum_fold(reference::partial(room.begin() + cut, room.size - cut, 0));
    std::uint32_t sums[2];
    right &= onesum_segments(room.copy.data(), 800, 0, room.begin(), 1500, 800, sums) == 2;
    return right && reference::canonical(sums[1]) == reference::partial(room.begin() + 800, 700, 0);
}

bool headers_right(std::mt19937 &random) {
    Room room(random);
    std::array<unsigned char, 400> headers;
    std::array<void *, 20> list;
    std::array<const void *, 20> constant;
    for (std::size_t i = 0; i < 20; ++i) {
        unsigned char *const header = &headers[20 * i];
        std::memcpy(header, &room.data[20 * i], 20);
        header[0] = 0x45;
        constant[i] = list[i] = header;
    }
    onesum_ipv4_headers_fill(headers.data(), 20, 20);
    bool right = onesum_ipv4_headers(headers.data(), 20, 20, nullptr) == 0;
    for (std::size_t i = 0; i < 20; ++i) right &= onesum_fold(reference::partial(&headers[20 * i], 20, 0)) == 0;
    headers[5] ^= 1;
    right &= onesum_ipv4_headers_list(constant.data(), 20, nullptr) == 1;
    onesum_ipv4_headers_fill_list(list.data(), 20);
    right &= onesum_ipv4_headers_list(constant.data(), 20, nullptr) == 0;
    // One address for another.
    const onesum_change change = {&headers[12], &room.data[500], 4, 12};
    std::uint16_t check;
    std::memcpy(&check, &headers[10], 2);
    check = onesum_replace(check, &change, 1);
    std::memcpy(&headers[10], &check, 2);
    std::memcpy(&headers[12], &room.data[500], 4);
    return right && onesum_ipv4_header(headers.data(), 5) == 0 && onesum_diff(&change, 1) == 0xffffffff;
}

#ifdef ONESUM_AMALGAMATED  // no packets
bool packets_right(std::mt19937 &) { return true; }
#else
bool packets_right(std::mt19937 &random) {
    Room room(random);
    // A UDP packet, cut in two; then two such from one template.
    const unsigned char ip[28] = {0x45, 0, 0x02, 0x1c, 0, 1, 0, 0, 64, 17, 0,    0,    10,   0,
                                  0,    1, 10,   0,    0, 2, 0, 7, 0,  8,  0x02, 0x08, 0x12, 0x34};
    std::memcpy(room.copy.data(), ip, sizeof ip);
    std::memcpy(&room.copy[28], room.data.data(), 512);
    onesum_packet_result results[4];
    bool right = onesum_packet_fill(room.copy.data(), 540, ONESUM_LINK_IPV4, nullptr, results, 4) == 2;
    right &= onesum_packet_check(room.copy.data(), 540, ONESUM_LINK_IPV4, nullptr, results, 4) == 2;
    right &= results[0].verdict == ONESUM_VERDICT_GOOD && results[1].verdict == ONESUM_VERDICT_GOOD;
    room.copy[300] ^= 0xff;
    const onesum_buffer list[] = {{&room.copy[0], 33}, {&room.copy[33], 507}};
    const onesum_writable writable[] = {{&room.copy[0], 33}, {&room.copy[33], 507}};
    right &= onesum_packet_check_iov(list, 2, ONESUM_LINK_IPV4, nullptr, results, 4) == 2;
    right &= results[1].verdict != ONESUM_VERDICT_GOOD;  // bad, or once in 65536 partial
    right &= onesum_packet_fill_iov(writable, 2, ONESUM_LINK_IPV4, nullptr, results, 4) == 2;
    std::array<unsigned char, 1100> cut;
    const onesum_gso_packet packet = {ip, sizeof ip, 0, room.data.data(), 1000, 512};
    right &= onesum_gso(&packet, cut.data(), 540) == 2;
    right &= onesum_packet_check(&cut[540], 516, ONESUM_LINK_IPV4, nullptr, results, 4) == 2;
    return right && results[0].verdict == ONESUM_VERDICT_GOOD && results[1].verdict == ONESUM_VERDICT_GOOD;
}

#endif

bool all_right(std::mt19937 &random) {
    std::array<onesum_implementation_info, 64> list;
    return sums_right(random) && lists_right(random) && headers_right(random) && packets_right(random) &&
           onesum_implementation()[0] != '\0' && onesum_version()[0] != '\0' && onesum_forced_status() >= 0 &&
           onesum_implementations(list.data(), list.size()) > 0 &&
           (random() % 1000 != 0 || onesum_selftest() == nullptr);
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
