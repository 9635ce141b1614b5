// Writes what another thread reads. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>

#include "capture/input.h"
#include "cli/output.h"

namespace onesum::cli {

// A thread that writes to an output while whoever made it reads on. All of it is called by the thread that
// reads, which is the only one to take and to drop the input's memory.
class Writer {
  public:
    explicit Writer(Output &out);
    ~Writer() { finish(); }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    // Writes `bytes` some time later; they stay as they are as long as `memory` is held.
    void write(std::span<const std::byte> bytes, const std::shared_ptr<capture::Input::Memory> &memory);

    // Waits until all is written, or the output has failed. Nothing may be written any more.
    void finish();

    // Whether the output has failed, so that there is no use in going on.
    bool failed() const { return failed_; }

  private:
    struct Piece {
        std::span<const std::byte> bytes;  // none: there are no more pieces
        std::shared_ptr<capture::Input::Memory> memory;
    };

    void work();
    void wait_for(std::uint32_t pieces);

    Output &out_;
    // One that is being written and some that wait, so that neither thread sleeps whenever the other is slow
    // for a moment. There is one buffer more, to read into.
    std::array<Piece, 4> pieces_;
    std::atomic<std::uint32_t> given_ = 0, written_ = 0;  // how many pieces so far
    std::atomic<bool> failed_ = false;
    std::thread thread_;
};

}  // namespace onesum::cli
