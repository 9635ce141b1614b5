// The bytes of a file or a stream, one window at a time. SPDX-License-Identifier: MIT
#include "capture/input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace onesum::capture {

namespace {

// Windows of this size cost no more than one mapping of the whole file, and keep the memory in use small
// however large the file is.
constexpr std::size_t mapped_window = 4 << 20;

// All pages of a window at once: not a fault for every sixteenth, and lines that are asked for early are there.
#ifdef MAP_POPULATE
constexpr int map_flags = MAP_PRIVATE | MAP_POPULATE;
#else
constexpr int map_flags = MAP_PRIVATE;
#endif

// About half of a second-level cache, so that what has been read is still near when it is summed.
constexpr std::size_t read_window = 512 << 10;

// What any user may ask for.
constexpr std::size_t pipe_size = 1 << 20;

}  // namespace

struct Input::Memory {
    std::span<std::byte> bytes;
    bool mapped;

    Memory(std::span<std::byte> bytes, bool mapped) : bytes(bytes), mapped(mapped) {}
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    ~Memory() {
        if (mapped)
            munmap(bytes.data(), bytes.size());
        else
            delete[] bytes.data();
    }
};

Input::Input(int descriptor, Sink sink) : descriptor_(descriptor), sink_(std::move(sink)) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return;
#ifdef F_SETPIPE_SZ
    // A pipe of 64 KiB makes its two ends wait for each other all the time.
    if (S_ISFIFO(status.st_mode)) fcntl(descriptor, F_SETPIPE_SZ, static_cast<int>(pipe_size));
#endif
    // Some files of /proc have a size of 0 and yet bytes to read.
    if (!S_ISREG(status.st_mode) || status.st_size == 0 || lseek(descriptor, 0, SEEK_CUR) != 0) return;
    size_ = static_cast<std::uint64_t>(status.st_size);
    maps_ = !sink_;
}

std::uint64_t Input::pass_far(std::uint64_t size) {
    if (size_ && !sink_) {
        const std::uint64_t step = std::min(size, *size_ - std::min(position(), *size_));
        go_to(position() + step);
        return step;
    }
    std::uint64_t left = size;
    for (;;) {
        const std::size_t step =
            static_cast<std::size_t>(std::min<std::uint64_t>(left, window_.size() - cursor_));
        cursor_ += step;
        left -= step;
        if (left == 0 || ahead(1).empty()) return size - left;
    }
}

void Input::go_to(std::uint64_t position) {
    if (position >= base_ && position - base_ <= window_.size()) {
        cursor_ = static_cast<std::size_t>(position - base_);
    } else {
        begin_at(position);
    }
}

void Input::fetch(std::uint64_t position, std::size_t size) {
    maps_ = false;
    reads_exactly_ = true;
    memory_.reset();  // the first buffer is used again, and not the one that a packet across the end has taken
    begin_at(position);
    read(size);
}

void Input::begin_at(std::uint64_t position) {
    window_ = {};
    base_ = position;
    cursor_ = handed_on_ = 0;
    ended_ = false;
    error_ = 0;
}

void Input::pass_all() {
    pass(UINT64_MAX);
    hand_on();
}

void Input::refill(std::size_t size) {
    if (ended_) return;
    hand_on();
    if (maps_) {
        if (map(size)) return;
        maps_ = false;  // a file system that cannot map: read from here on
    }
    read(size);
}

void Input::hand_on() {
    if (sink_ && handed_on_ < cursor_) sink_(window_.subspan(handed_on_, cursor_ - handed_on_));
    handed_on_ = cursor_;
}

// Moves the window on to position().
bool Input::map(std::size_t size) {
    const std::uint64_t at = position();
    const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t start = at / page * page;
    const std::uint64_t end = std::min(*size_, at + std::max(size, mapped_window));
    if (end == base_ + window_.size()) return true;
    memory_.reset();
    const std::size_t length = static_cast<std::size_t>(end - start);
    void *const where = mmap(nullptr, length, PROT_READ, map_flags, descriptor_, static_cast<off_t>(start));
    if (where == MAP_FAILED) {
        window_ = {};
        base_ = at;
        cursor_ = handed_on_ = 0;
        return false;
    }
    memory_ = std::make_shared<Memory>(std::span(static_cast<std::byte *>(where), length), true);
    base_ = start;
    window_ = memory_->bytes;
    cursor_ = handed_on_ = static_cast<std::size_t>(at - start);
    return true;
}

// A buffer of at least this size that nobody holds.
std::shared_ptr<Input::Memory> Input::buffer(std::size_t size) {
    // Those that have become too small are given up.
    std::erase_if(buffers_, [size](const auto &one) { return one->bytes.size() < size; });
    for (const auto &one : buffers_)
        if (one.use_count() == 1) return one;
    const std::size_t large = std::max(size, read_window);
    return buffers_.emplace_back(std::make_shared<Memory>(std::span(new std::byte[large], large), false));
}

std::ptrdiff_t Input::read_some(std::byte *to, std::size_t size, std::uint64_t position) const {
    return size_ ? pread(descriptor_, to, size, static_cast<off_t>(position)) : ::read(descriptor_, to, size);
}

void Input::read(std::size_t size) {
    const std::span<std::byte> rest = window_.subspan(cursor_);
    // The present one is used again if nobody else holds it.
    const std::shared_ptr<Memory> before = std::exchange(memory_, nullptr);
    const bool again = before && !before->mapped && before.use_count() == 2 && before->bytes.size() >= size;
    memory_ = again ? before : buffer(size);
    if (!rest.empty()) std::memmove(memory_->bytes.data(), rest.data(), rest.size());
    base_ += cursor_;
    cursor_ = handed_on_ = 0;
    std::size_t have = rest.size();
    // A pipe gives little at a time: no more is waited for than what is asked for.
    while (have < size) {
        const std::ptrdiff_t got = read_some(
            memory_->bytes.data() + have, (reads_exactly_ ? size : memory_->bytes.size()) - have, base_ + have);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            error_ = got < 0 ? errno : 0;
            ended_ = true;
            break;
        }
        have += static_cast<std::size_t>(got);
    }
    window_ = memory_->bytes.first(have);
}

}  // namespace onesum::capture
