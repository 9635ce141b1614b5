// Threads that wait for each other. SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace onesum::cli {

// Waits until another thread has changed `number`, which was `before`. That is soon: who sleeps at once wakes
// late, and on the processor of who woke it, while two that can run are moved apart.
inline void wait_for_change(const std::atomic<std::uint32_t> &number, std::uint32_t before) {
    for (int i = 0; i < 1000; ++i) {
        if (number != before) return;
        std::this_thread::yield();
    }
    number.wait(before);
}

}  // namespace onesum::cli
