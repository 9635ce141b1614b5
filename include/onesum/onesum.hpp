// onesum for C++20: onesum.h over std::span. SPDX-License-Identifier: MIT
// The meaning of every function is documented in onesum.h.
#ifndef ONESUM_ONESUM_HPP
#define ONESUM_ONESUM_HPP

#include <onesum/onesum.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace onesum {

using Bytes = std::span<const std::byte>;

inline std::uint32_t partial(Bytes data, std::uint32_t sum = 0) noexcept {
    return onesum_partial(data.data(), data.size(), sum);
}

// `destination` holds at least source.size() bytes and does not overlap `source`.
inline std::uint32_t copy(std::span<std::byte> destination, Bytes source, std::uint32_t sum = 0) noexcept {
    assert(destination.size() >= source.size());
    return onesum_copy(destination.data(), source.data(), source.size(), sum);
}

inline std::uint16_t checksum(Bytes data) noexcept { return onesum_checksum(data.data(), data.size()); }

inline std::uint16_t fold(std::uint32_t sum) noexcept { return onesum_fold(sum); }
inline std::uint32_t add(std::uint32_t a, std::uint32_t b) noexcept { return onesum_add(a, b); }
inline std::uint32_t sub(std::uint32_t a, std::uint32_t b) noexcept { return onesum_sub(a, b); }
inline std::uint32_t block_add(std::uint32_t sum, std::uint32_t block, std::size_t offset) noexcept {
    return onesum_block_add(sum, block, offset);
}
inline std::uint32_t block_sub(std::uint32_t sum, std::uint32_t block, std::size_t offset) noexcept {
    return onesum_block_sub(sum, block, offset);
}

inline std::uint16_t replace16(std::uint16_t check, std::uint16_t from, std::uint16_t to) noexcept {
    return onesum_replace16(check, from, to);
}
inline std::uint16_t replace32(std::uint16_t check, std::uint32_t from, std::uint32_t to) noexcept {
    return onesum_replace32(check, from, to);
}
inline std::uint16_t replace128(std::uint16_t check, std::span<const std::byte, 16> from,
                                std::span<const std::byte, 16> to) noexcept {
    return onesum_replace128(check, from.data(), to.data());
}
inline std::uint16_t replace_diff(std::uint16_t check, std::uint32_t diff) noexcept {
    return onesum_replace_diff(check, diff);
}

inline std::uint32_t pseudo_ipv4(std::span<const std::byte, 4> src, std::span<const std::byte, 4> dst,
                                 std::uint32_t length, std::uint8_t protocol, std::uint32_t sum = 0) noexcept {
    return onesum_pseudo_ipv4(src.data(), dst.data(), length, protocol, sum);
}
inline std::uint32_t pseudo_ipv6(std::span<const std::byte, 16> src, std::span<const std::byte, 16> dst,
                                 std::uint32_t length, std::uint8_t next_header,
                                 std::uint32_t sum = 0) noexcept {
    return onesum_pseudo_ipv6(src.data(), dst.data(), length, next_header, sum);
}

// `header` holds the whole IPv4 header with its options, and nothing after it.
inline std::uint16_t ipv4_header(Bytes header) noexcept {
    return onesum_ipv4_header(header.data(), static_cast<unsigned>(header.size() / 4));
}

inline std::uint32_t partial(std::span<const onesum_buffer> list, std::size_t offset, std::size_t size,
                             std::uint32_t sum = 0) noexcept {
    return onesum_partial_iov(list.data(), list.size(), offset, size, sum);
}

// A sum over pieces that come one after the other.
class Stream {
  public:
    explicit Stream(std::uint32_t sum = 0) noexcept { onesum_init(&state_, sum); }
    Stream &update(Bytes data) noexcept {
        onesum_update(&state_, data.data(), data.size());
        return *this;
    }
    [[nodiscard]] std::uint32_t partial() const noexcept { return onesum_final(&state_); }
    [[nodiscard]] std::uint16_t checksum() const noexcept { return onesum_fold(partial()); }

  private:
    onesum_state state_;
};

inline const char *implementation() noexcept { return onesum_implementation(); }

inline std::vector<onesum_implementation_info> implementations() {
    std::vector<onesum_implementation_info> list(onesum_implementations(nullptr, 0));
    onesum_implementations(list.data(), list.size());
    return list;
}

}  // namespace onesum

#endif
