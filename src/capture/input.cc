// The bytes of a file or a stream, one window at a time. SPDX-License-Identifier: MIT
#include "capture/input.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace onesum::capture {

namespace {

// Windows of this size cost no more than one mapping of the whole file (reading and summing a cached file took
// 1.5 times as long with read() as with either), and keep the memory in use small however large the file is.
constexpr std::size_t mapped_window = 8 << 20;

// About half of a second-level cache, so that what has been read is still near when it is summed.
constexpr std::size_t read_window = 512 << 10;

}  // namespace

Input::Input(int descriptor, Sink sink) : descriptor_(descriptor), sink_(std::move(sink)) {
    struct stat status;
    // Some files of /proc have a size of 0 and yet bytes to read.
    if (!sink_ && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        lseek(descriptor, 0, SEEK_CUR) == 0)
        mapped_size_ = static_cast<std::uint64_t>(status.st_size);
}

Input::~Input() { unmap(); }

std::optional<std::uint64_t> Input::size() const {
    return mapped_size_ ? std::optional(mapped_size_) : std::nullopt;
}

std::uint64_t Input::pass_far(std::uint64_t size) {
    std::uint64_t left = size;
    for (;;) {
        const std::size_t step =
            static_cast<std::size_t>(std::min<std::uint64_t>(left, window_.size() - cursor_));
        cursor_ += step;
        left -= step;
        if (left == 0 || ahead(1).empty()) return size - left;
    }
}

void Input::pass_all() {
    pass(UINT64_MAX);
    hand_on();
}

void Input::refill(std::size_t size) {
    if (ended_) return;
    hand_on();
    if (mapped_size_ != 0) {
        if (map(size)) return;
        mapped_size_ = 0;  // a file system that cannot map: read from here on
        if (lseek(descriptor_, static_cast<off_t>(position()), SEEK_SET) < 0) {
            error_ = errno;
            ended_ = true;
            return;
        }
    }
    read(size);
}

void Input::hand_on() {
    if (sink_ && handed_on_ < cursor_) sink_(window_.subspan(handed_on_, cursor_ - handed_on_));
    handed_on_ = cursor_;
}

void Input::unmap() {
    if (!mapping_.empty()) munmap(mapping_.data(), mapping_.size());
    mapping_ = {};
}

// Moves the window on to position().
bool Input::map(std::size_t size) {
    const std::uint64_t at = position();
    const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t start = at / page * page;
    const std::uint64_t end = std::min(mapped_size_, at + std::max(size, mapped_window));
    if (end == base_ + window_.size()) {
        ended_ = true;
        return true;
    }
    unmap();
    const std::size_t length = static_cast<std::size_t>(end - start);
    void *const where = mmap(nullptr, length, PROT_READ, MAP_PRIVATE, descriptor_, static_cast<off_t>(start));
    if (where == MAP_FAILED) {
        window_ = {};
        base_ = at;
        cursor_ = handed_on_ = 0;
        return false;
    }
    mapping_ = {static_cast<std::byte *>(where), length};
    base_ = start;
    window_ = mapping_;
    cursor_ = handed_on_ = static_cast<std::size_t>(at - start);
    return true;
}

void Input::read(std::size_t size) {
    const std::span<std::byte> rest = window_.subspan(cursor_);
    if (size > buffer_.size()) {
        std::vector<std::byte> larger(std::max(size, read_window));
        std::copy(rest.begin(), rest.end(), larger.begin());
        buffer_.swap(larger);
    } else if (!rest.empty()) {
        std::memmove(buffer_.data(), rest.data(), rest.size());
    }
    base_ += cursor_;
    cursor_ = handed_on_ = 0;
    std::size_t have = rest.size();
    // A pipe gives little at a time: no more is waited for than what is asked for.
    while (have < size) {
        const ssize_t got = ::read(descriptor_, buffer_.data() + have, buffer_.size() - have);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            error_ = got < 0 ? errno : 0;
            ended_ = true;
            break;
        }
        have += static_cast<std::size_t>(got);
    }
    window_ = std::span(buffer_).first(have);
}

}  // namespace onesum::capture
