// What tests compare with. SPDX-License-Identifier: MIT
#pragma once

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>

namespace reference {

// The representative of a partial sum: 0 for 0, and 1 to 0xffff for every other value. Tells 0 from 0xffff.
inline std::uint32_t canonical(std::uint64_t sum) {
    return sum == 0 ? 0 : static_cast<std::uint32_t>((sum - 1) % 0xffff + 1);
}

// The byte-wise definition: the integer sum of the bytes by their place in native 16-bit words. Exact below
// 2^48 bytes, as a word is below 2^16.
inline std::uint64_t byte_value(unsigned char byte, std::size_t at) {
    const bool high = (at % 2 == 0) == (std::endian::native == std::endian::big);
    return high ? std::uint64_t{byte} << 8 : byte;
}
inline std::uint64_t exact_sum(const void *data, std::size_t size) {
    const unsigned char *bytes = static_cast<const unsigned char *>(data);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += byte_value(bytes[i], i);
    return sum;
}

// The canonical partial sum.
inline std::uint32_t partial(const void *data, std::size_t size, std::uint32_t seed) {
    return canonical(exact_sum(data, size) + seed);
}

// A 16-bit value as stored in a packet, from and to its reading in network order.
inline std::uint16_t network(std::uint16_t value) {
    if constexpr (std::endian::native == std::endian::big) return value;
    return static_cast<std::uint16_t>(value << 8 | value >> 8);
}

// `size` bytes of whole pages, with an unreadable page before and after them.
#if defined(_WIN32)
inline std::size_t page_size() {
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwPageSize;
}
inline unsigned char *guarded(std::size_t size) {
    void *const all = VirtualAlloc(nullptr, size + 2 * page_size(), MEM_RESERVE, PAGE_NOACCESS);
    if (!all) std::abort();
    unsigned char *const begin = static_cast<unsigned char *>(all) + page_size();
    if (size != 0 && !VirtualAlloc(begin, size, MEM_COMMIT, PAGE_READWRITE)) std::abort();
    return begin;
}
inline void unguard(unsigned char *begin, std::size_t) { VirtualFree(begin - page_size(), 0, MEM_RELEASE); }
#else
inline std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
inline unsigned char *guarded(std::size_t size) {
    void *all = mmap(nullptr, size + 2 * page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) std::abort();
    unsigned char *const begin = static_cast<unsigned char *>(all) + page_size();
    // Not of size 0, which qemu 7.2 refuses.
    if (size != 0 && mprotect(begin, size, PROT_READ | PROT_WRITE) != 0) std::abort();
    return begin;
}
inline void unguard(unsigned char *begin, std::size_t size) {
    munmap(begin - page_size(), size + 2 * page_size());
}
#endif

// Memory with an unreadable page before and after it: an access one byte outside raises SIGSEGV.
class Guarded {
  public:
    explicit Guarded(std::size_t size)
        : size_((size + page_size() - 1) / page_size() * page_size()), begin_(guarded(size_)) {}
    ~Guarded() { unguard(begin_, size_); }
    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;

    unsigned char *begin() const { return begin_; }
    unsigned char *end() const { return begin_ + size_; }
    std::size_t size() const { return size_; }
    // The last `size` bytes before the unreadable page.
    unsigned char *last(std::size_t size) const { return end() - size; }

  private:
    std::size_t size_;
    unsigned char *begin_;
};

// The kinds of data that find faults: noise, nothing, all carries, and carries at random places.
enum class Pattern { random, zeros, ones, half_ones };
inline constexpr Pattern patterns[] = {Pattern::random, Pattern::zeros, Pattern::ones, Pattern::half_ones};

inline void fill(unsigned char *data, std::size_t size, Pattern pattern, std::mt19937 &random) {
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t r = static_cast<std::uint32_t>(random());
        switch (pattern) {
            case Pattern::random:
                data[i] = static_cast<unsigned char>(r);
                break;
            case Pattern::zeros:
                data[i] = 0;
                break;
            case Pattern::ones:
                data[i] = 0xff;
                break;
            case Pattern::half_ones:
                data[i] = r & 1 ? 0xff : static_cast<unsigned char>(r >> 8);
                break;
        }
    }
}

#if defined(__linux__) && defined(__LP64__)
// `total` bytes of address space that show the same `unit` bytes again and again.
class Repeated {
  public:
    Repeated(std::size_t unit, std::size_t total) : size_(total) {
        const int file = memfd_create("onesum-test", 0);
        if (file < 0 || ftruncate(file, static_cast<off_t>(unit)) != 0) std::abort();
        void *all = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) std::abort();
        data_ = static_cast<unsigned char *>(all);
        for (std::size_t at = 0; at < total; at += unit)
            if (mmap(data_ + at, unit, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE, file,
                     0) == MAP_FAILED)
                std::abort();
        close(file);
    }
    ~Repeated() { munmap(data_, size_); }
    Repeated(const Repeated &) = delete;
    Repeated &operator=(const Repeated &) = delete;
    unsigned char *data() const { return data_; }

  private:
    std::size_t size_;
    unsigned char *data_;
};
#endif

}  // namespace reference
