// The bytes of a file or a stream, one window at a time. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
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
    // A mapping, or a buffer that was read into.
    struct Memory;

    // Never handed nothing.
    using Sink = std::function<void(std::span<const std::byte>)>;

    // `descriptor` stays the caller's, and stays open while the input is used.
    explicit Input(int descriptor, Sink sink = {});
    Input(const Input &) = delete;
    Input &operator=(const Input &) = delete;

    // The bytes from position() on: at least `size` of them unless the input ends sooner or cannot be read (see
    // error()). Valid until the next call, or as long as memory() is held. Only with a sink may they be
    // changed.
    std::span<std::byte> ahead(std::size_t size) {
        if (window_.size() - cursor_ < size) refill(size);
        return window_.subspan(cursor_);
    }

    // Goes on by `size` bytes, or to the end if that is nearer. Returns how many.
    std::uint64_t pass(std::uint64_t size) {
        if (size > window_.size() - cursor_) return pass_far(size);
        if (maps_) fetch_early(static_cast<std::size_t>(size));
        cursor_ += static_cast<std::size_t>(size);
        return size;
    }

    // Goes on to the end and hands the last bytes to the sink.
    void pass_all();

    // Goes to `position`, from anywhere. Only for an input with a size() and without a sink.
    void go_to(std::uint64_t position);

    // The same, and reads the `size` bytes from there at once into a buffer. From then on nothing is mapped,
    // and no more read than what is asked for: so that several inputs can each read their part of one file.
    void fetch(std::uint64_t position, std::size_t size);

    // Keeps the bytes that ahead() last gave where they are, unchanged. All copies are to be taken and dropped
    // while no other thread uses the input.
    const std::shared_ptr<Memory> &memory() const { return memory_; }

    // How many bytes have been passed.
    std::uint64_t position() const { return base_ + cursor_; }

    // How many there are, where that is known beforehand.
    std::optional<std::uint64_t> size() const { return size_; }

    // The errno of the read that failed, or 0.
    int error() const { return error_; }

  private:
    // Asks for the lines that come a page later than those that are passed: the processor's own guesses end at
    // every page, and start anew with every packet. Lines beyond the mapping are asked for in vain, without
    // harm.
    void fetch_early(std::size_t size) const {
        constexpr std::size_t line = 64, distance = 4096;
        // As a number: there may be no window yet, and where it ends is no matter here.
        const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(window_.data()) + cursor_ + distance;
        for (std::size_t i = 0; i < size; i += line)
            __builtin_prefetch(reinterpret_cast<const void *>(from + i));
    }

    std::uint64_t pass_far(std::uint64_t size);
    void begin_at(std::uint64_t position);
    void refill(std::size_t size);
    bool map(std::size_t size);
    void read(std::size_t size);
    std::ptrdiff_t read_some(std::byte *to, std::size_t size, std::uint64_t position) const;
    std::shared_ptr<Memory> buffer(std::size_t size);
    void hand_on();

    int descriptor_;
    Sink sink_;
    std::optional<std::uint64_t> size_;
    bool maps_ = false;            // rather than reads
    bool reads_exactly_ = false;   // no more than what is asked for
    std::span<std::byte> window_;  // what is in memory; it begins base_ bytes into the input
    std::uint64_t base_ = 0;
    std::size_t cursor_ = 0;     // in the window
    std::size_t handed_on_ = 0;  // in the window: what the sink has had
    std::shared_ptr<Memory> memory_;
    std::vector<std::shared_ptr<Memory>> buffers_;  // all that there are, to be used again
    bool ended_ = false;
    int error_ = 0;
};

}  // namespace onesum::capture
