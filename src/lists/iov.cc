// Pieces in lists. SPDX-License-Identifier: MIT
#include <algorithm>

#include "dispatch/active.h"
#include "onesum/onesum.h"

using onesum::dispatch::Kernel;
using onesum::dispatch::resolved;

namespace {

// The bytes of a list from an offset on, one run of memory after the other.
template <typename Piece, typename Byte>
class Runs {
  public:
    Runs(const Piece *list, size_t count, size_t offset) : list_(list), count_(count), offset_(offset) {
        while (count_ != 0 && offset_ >= list_->size) next();
    }

    bool ended() const { return count_ == 0; }
    Byte *data() const { return static_cast<Byte *>(list_->data) + offset_; }
    size_t size() const { return list_->size - offset_; }
    // Past `size` bytes, which are in this run.
    void skip(size_t size) {
        offset_ += size;
        while (count_ != 0 && offset_ == list_->size) next();
    }

  private:
    void next() {
        offset_ -= list_->size;
        ++list_;
        --count_;
    }

    const Piece *list_;
    size_t count_, offset_;
};

using Source = Runs<onesum_buffer, const char>;
using Target = Runs<onesum_writable, char>;

}  // namespace

// Each run is summed from 0, so that no kernel waits for the sum of the run before.

extern "C" {

uint32_t onesum_partial_iov(const onesum_buffer *list, size_t count, size_t offset, size_t size, uint32_t sum) {
    const Kernel *kernel = resolved();
    size_t done = 0;
    for (Source source(list, count, offset); size != done && !source.ended();) {
        const size_t run = std::min(source.size(), size - done);
        sum = onesum_block_add(sum, kernel->sum(source.data(), run, 0), done);
        source.skip(run);
        done += run;
    }
    return sum;
}

uint32_t onesum_copy_iov(const onesum_writable *dst, size_t dst_count, size_t dst_offset,
                         const onesum_buffer *src, size_t src_count, size_t src_offset, size_t size,
                         uint32_t sum) {
    const Kernel *kernel = resolved();
    Source source(src, src_count, src_offset);
    Target target(dst, dst_count, dst_offset);
    size_t done = 0;
    while (size != done && !source.ended() && !target.ended()) {
        const size_t run = std::min({source.size(), target.size(), size - done});
        sum = onesum_block_add(sum, kernel->copy(target.data(), source.data(), run, 0), done);
        source.skip(run);
        target.skip(run);
        done += run;
    }
    return sum;
}
}
