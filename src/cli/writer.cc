// Writes what another thread reads. SPDX-License-Identifier: MIT
#include "cli/writer.h"

#include <system_error>

#include "cli/turns.h"

namespace onesum::cli {

namespace {

// Larger pieces are not kept for later, so that little memory is in use: they hold packets far beyond any that
// networks carry.
constexpr std::size_t largest_piece = 1 << 20;

}  // namespace

Writer::Writer(Output &out) : out_(out) {
    try {
        thread_ = std::thread([this] { work(); });
    } catch (const std::system_error &) {  // no more threads: everything is written at once
    }
}

void Writer::work() {
    for (std::uint32_t number = 0;; ++number) {
        wait_for_change(given_, number);
        const std::span<const std::byte> bytes = pieces_[number % pieces_.size()].bytes;
        if (bytes.empty()) return;
        out_.write(bytes);
        failed_ = out_.error() != 0;
        written_ = number + 1;
        written_.notify_one();
    }
}

// Until at most so many are not written yet.
void Writer::wait_for(std::uint32_t pieces) {
    for (std::uint32_t now = written_; given_ - now > pieces; now = written_) wait_for_change(written_, now);
}

void Writer::write(std::span<const std::byte> bytes, const std::shared_ptr<capture::Input::Memory> &memory) {
    if (thread_.joinable() && bytes.size() <= largest_piece) {
        wait_for(pieces_.size() - 1);
        pieces_[given_ % pieces_.size()] = {bytes, memory};
        ++given_;
        given_.notify_one();
    } else {
        wait_for(0);
        pieces_ = {};
        out_.write(bytes);
        failed_ = out_.error() != 0;
    }
}

void Writer::finish() {
    if (!thread_.joinable()) return;
    wait_for(0);
    pieces_ = {};
    ++given_;
    given_.notify_one();
    thread_.join();
}

}  // namespace onesum::cli
