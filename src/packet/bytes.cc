// A packet in pieces. SPDX-License-Identifier: MIT
#include "packet/walk.h"

namespace onesum::packet {

namespace {

size_t joined_size(const onesum_buffer *list, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; ++i) size += list[i].size;
    return size;
}

}  // namespace

Bytes::Bytes(const onesum_buffer *list, size_t count)
    // One piece is a buffer.
    : data_(count == 1 ? static_cast<const uint8_t *>(list[0].data) : nullptr),
      size_(joined_size(list, count)),
      list_(list),
      count_(count) {}

const uint8_t *Bytes::gather(size_t at, size_t size, uint8_t *scratch) const {
    uint8_t *to = scratch;
    for (size_t i = 0; i < count_ && size != 0; ++i) {
        const size_t skipped = std::min(at, list_[i].size);
        const size_t taken = std::min(size, list_[i].size - skipped);
        if (taken != 0) std::memcpy(to, static_cast<const uint8_t *>(list_[i].data) + skipped, taken);
        at -= skipped;
        size -= taken;
        to += taken;
    }
    return scratch;
}

}  // namespace onesum::packet
