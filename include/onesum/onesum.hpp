// onesum for C++20: onesum.h, gso.h and packet.h over std::span. SPDX-License-Identifier: MIT
// The meaning of every function is documented there. Each has its name here without the prefix, but for what
// the inline functions there are made of (onesum_load32() and the like), which is for pointers to a fixed
// number of bytes. Only implementations() allocates; all others are noexcept.
#ifndef ONESUM_ONESUM_HPP
#define ONESUM_ONESUM_HPP

#include <onesum/gso.h>
#include <onesum/onesum.h>
#include <onesum/packet.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace onesum {

// Bytes that are only read.
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
inline std::uint32_t rotate(std::uint32_t sum, std::size_t offset) noexcept {
    return onesum_rotate(sum, offset);
}
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

inline std::uint16_t fold_udp(std::uint32_t sum) noexcept { return onesum_fold_udp(sum); }
inline std::uint16_t replace_diff_udp(std::uint16_t check, std::uint32_t diff) noexcept {
    return onesum_replace_diff_udp(check, diff);
}
inline std::uint32_t diff(std::span<const onesum_change> changes) noexcept {
    return onesum_diff(changes.data(), changes.size());
}
inline std::uint16_t replace(std::uint16_t check, std::span<const onesum_change> changes) noexcept {
    return onesum_replace(check, changes.data(), changes.size());
}
inline std::uint16_t replace_udp(std::uint16_t check, std::span<const onesum_change> changes) noexcept {
    return onesum_replace_udp(check, changes.data(), changes.size());
}

inline std::uint32_t pull(std::uint32_t sum, Bytes header) noexcept {
    return onesum_pull(sum, header.data(), header.size());
}
inline std::uint32_t push(std::uint32_t sum, Bytes header) noexcept {
    return onesum_push(sum, header.data(), header.size());
}
inline std::uint32_t outer(Bytes headers, std::uint32_t inner, std::uint32_t sum = 0) noexcept {
    return onesum_outer(headers.data(), headers.size(), inner, sum);
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

inline std::uint32_t copy(std::span<const onesum_writable> dst, std::size_t dst_offset,
                          std::span<const onesum_buffer> src, std::size_t src_offset, std::size_t size,
                          std::uint32_t sum = 0) noexcept {
    return onesum_copy_iov(dst.data(), dst.size(), dst_offset, src.data(), src.size(), src_offset, size, sum);
}

// `packets` holds a segment every `stride` bytes, and `sums` as many as there are.
inline std::size_t segments(std::span<std::byte> packets, std::size_t stride, std::size_t room, Bytes payload,
                            std::size_t segment_size, std::span<std::uint32_t> sums) noexcept {
    assert(segment_size == 0 ||
           sums.size() >= payload.size() / segment_size + (payload.size() % segment_size != 0));
    return onesum_segments(packets.data(), stride, room, payload.data(), payload.size(), segment_size,
                           sums.data());
}

// `packets` holds a packet every `stride` bytes.
inline std::size_t gso(const onesum_gso_packet &packet, std::span<std::byte> packets,
                       std::size_t stride) noexcept {
    return onesum_gso(&packet, packets.data(), stride);
}
// The size of packet `i`, headers and all.
inline std::size_t gso_size(const onesum_gso_packet &packet, std::size_t i) noexcept {
    return onesum_gso_size(&packet, i);
}

// `sums` is empty, or as long as `list`; `checks` is as long.
inline void batch(std::span<const onesum_buffer> list, std::span<const std::uint32_t> sums,
                  std::span<std::uint16_t> checks) noexcept {
    assert(checks.size() >= list.size() && (sums.empty() || sums.size() >= list.size()));
    onesum_batch(list.data(), list.size(), sums.empty() ? nullptr : sums.data(), checks.data());
}

// `results` is empty, or has a place for each header.
inline std::size_t ipv4_headers(const std::byte *headers, std::size_t stride, std::size_t count,
                                std::span<std::uint16_t> results = {}) noexcept {
    assert(results.empty() || results.size() >= count);
    return onesum_ipv4_headers(headers, stride, count, results.empty() ? nullptr : results.data());
}
inline std::size_t ipv4_headers(std::span<const void *const> headers,
                                std::span<std::uint16_t> results = {}) noexcept {
    assert(results.empty() || results.size() >= headers.size());
    return onesum_ipv4_headers_list(headers.data(), headers.size(), results.empty() ? nullptr : results.data());
}
inline void ipv4_headers_fill(std::byte *headers, std::size_t stride, std::size_t count) noexcept {
    onesum_ipv4_headers_fill(headers, stride, count);
}
inline void ipv4_headers_fill(std::span<void *const> headers) noexcept {
    onesum_ipv4_headers_fill_list(headers.data(), headers.size());
}

// A sum over pieces that come one after the other.
class Stream {
  public:
    // Begins with the partial sum `sum`.
    explicit Stream(std::uint32_t sum = 0) noexcept { onesum_init(&state_, sum); }
    // Adds the next bytes.
    Stream &update(Bytes data) noexcept {
        onesum_update(&state_, data.data(), data.size());
        return *this;
    }
    // The partial sum so far.
    [[nodiscard]] std::uint32_t partial() const noexcept { return onesum_final(&state_); }
    // The checksum so far.
    [[nodiscard]] std::uint16_t checksum() const noexcept { return onesum_fold(partial()); }

  private:
    onesum_state state_;
};

// Packets: the results that there was room for are the first of `results`, the number returned is of all.
using Results = std::span<onesum_packet_result>;

inline std::size_t check(Bytes packet, std::uint32_t start, Results results,
                         const onesum_packet_options &options = {}) noexcept {
    return onesum_packet_check(packet.data(), packet.size(), start, &options, results.data(), results.size());
}
inline std::size_t check(std::span<const onesum_buffer> list, std::uint32_t start, Results results,
                         const onesum_packet_options &options = {}) noexcept {
    return onesum_packet_check_iov(list.data(), list.size(), start, &options, results.data(), results.size());
}
inline std::size_t fill(std::span<std::byte> packet, std::uint32_t start, Results results,
                        const onesum_packet_options &options = {}) noexcept {
    return onesum_packet_fill(packet.data(), packet.size(), start, &options, results.data(), results.size());
}
inline std::size_t fill(std::span<const onesum_writable> list, std::uint32_t start, Results results,
                        const onesum_packet_options &options = {}) noexcept {
    return onesum_packet_fill_iov(list.data(), list.size(), start, &options, results.data(), results.size());
}

inline bool link_known(std::uint32_t start) noexcept { return onesum_packet_link_known(start) != 0; }

// nullptr for a number that has no name.
inline const char *protocol_name(int protocol) noexcept { return onesum_protocol_name(protocol); }
inline const char *verdict_name(int verdict) noexcept { return onesum_verdict_name(verdict); }
inline const char *reason_name(int reason) noexcept { return onesum_reason_name(reason); }
// ONESUM_UNKNOWN for a name that is no protocol's.
inline int protocol_named(const char *name) noexcept { return onesum_protocol_named(name); }

inline const char *implementation() noexcept { return onesum_implementation(); }

inline std::vector<onesum_implementation_info> implementations() {
    std::vector<onesum_implementation_info> list(onesum_implementations(nullptr, 0));
    onesum_implementations(list.data(), list.size());
    return list;
}

// 0, ONESUM_UNKNOWN or ONESUM_UNSUPPORTED; nullptr goes back to the automatic choice.
inline int select(const char *name) noexcept { return onesum_select(name); }
inline int forced_status() noexcept { return onesum_forced_status(); }

// nullptr, or the name of the first implementation that is wrong.
inline const char *selftest() noexcept { return onesum_selftest(); }

// The library's; the ONESUM_VERSION_ macros are those of the header.
inline const char *version() noexcept { return onesum_version(); }

}  // namespace onesum

#endif
