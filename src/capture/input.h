// The bytes of a file or a stream, one window at a time. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace onesum::capture {

// Goes through a file once, from its start to its end, in constant memory: a regular file is mapped a window at
// a time, anything else is read into a buffer.
//
// With a sink the bytes are always read, and may be changed in memory before they are passed; what has been
// passed is handed on, changes and all, to the sink, which so sees every byte once. (Pages of a mapping that
// are changed cost more than reading them all: a repair of every seventh packet took 0.23 s over a mapping,
// 0.13 s over a buffer.)
//
// A mapped file that another process cuts short meanwhile raises SIGBUS.
class Input {
  public:
    using Sink = std::function<void(std::span<const std::byte>)>;

    // `descriptor` stays the caller's, and stays open while the input is used.
    explicit Input(int descriptor, Sink sink = {});
    ~Input();
    Input(const Input &) = delete;
    Input &operator=(const Input &) = delete;

    // The bytes from position() on: at least `size` of them unless the input ends sooner or cannot be read (see
    // error()). Valid until the next call. Only with a sink may they be changed.
    std::span<std::byte> ahead(std::size_t size) {
        if (window_.size() - cursor_ < size) refill(size);
        return window_.subspan(cursor_);
    }

    // Goes on by `size` bytes, or to the end if that is nearer. Returns how many.
    std::uint64_t pass(std::uint64_t size) {
        if (size > window_.size() - cursor_) return pass_far(size);
        cursor_ += static_cast<std::size_t>(size);
        return size;
    }

    // Goes on to the end and hands the last bytes to the sink.
    void pass_all();

    // How many bytes have been passed.
    std::uint64_t position() const { return base_ + cursor_; }

    // How many there are, where that is known beforehand.
    std::optional<std::uint64_t> size() const;

    // The errno of the read that failed, or 0.
    int error() const { return error_; }

  private:
    std::uint64_t pass_far(std::uint64_t size);
    void refill(std::size_t size);
    bool map(std::size_t size);
    void read(std::size_t size);
    void hand_on();
    void unmap();

    int descriptor_;
    Sink sink_;
    std::uint64_t mapped_size_ = 0;  // of the file; 0 where it is read, not mapped
    std::span<std::byte> window_;    // what is in memory; it begins base_ bytes into the input
    std::uint64_t base_ = 0;
    std::size_t cursor_ = 0;        // in the window
    std::size_t handed_on_ = 0;     // in the window: what the sink has had
    std::span<std::byte> mapping_;  // whole pages around the window
    std::vector<std::byte> buffer_;
    bool ended_ = false;
    int error_ = 0;
};

}  // namespace onesum::capture
