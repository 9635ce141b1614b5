// Many IPv4 headers: the calls, and the method that needs no vectors. SPDX-License-Identifier: MIT
#include "lists/headers.h"

#include "dispatch/active.h"
#include "lists/blocks.h"

namespace onesum::lists {

namespace {

struct FoldEach {
    std::uint16_t all = 0;

    void operator()(const std::uint64_t *sums, std::uint16_t *checks) {
        for (std::size_t i = 0; i < block; ++i) checks[i] = onesum_fold(onesum_fold64(sums[i]));
        for (std::size_t i = 0; i < block; ++i) all |= checks[i];
    }
    bool any() const { return all != 0; }

    template <Ask ask, typename Headers>
    [[gnu::noinline]] static bool ask_plain(Headers headers, std::size_t blocks, std::uint16_t *answers,
                                            std::size_t &done) {
        return lists::ask_plain<ask, FoldEach>(headers, blocks, answers, done);
    }
};

using namespace dispatch::feature;

constexpr Method rows[] = {
#if defined(__x86_64__) && (defined(__LP64__) || defined(_WIN64))
    {avx512f | avx512bw | avx512vl, headers_avx512, headers_avx512},
    {avx2, headers_avx2, headers_avx2},
#endif
    {none, ask_pointers<FoldEach>, ask_stride<FoldEach>},
};

// The best method among those that need no more than the kernel in use does: who forces a kernel that needs
// nothing sees no such vectors here either.
const Method &method() {
    const dispatch::Features allowed = dispatch::resolved()->needs;
    return *std::find_if(std::begin(rows), std::end(rows) - 1,
                         [=](const Method &row) { return (row.needs & ~allowed) == 0; });
}

std::size_t run(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    return method().at_pointers(headers, count, ask, answers);
}
std::size_t run(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    return method().at_stride(headers, count, ask, answers);
}

// On a line for itself, for a loop as short as this takes twice as long where it lies in two. The caller's
// memory is writable, which the way to it through Headers forgets.
template <typename Headers>
[[gnu::noinline, gnu::aligned(64)]] void store(Headers headers, const std::uint16_t *checks,
                                               std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(const_cast<char *>(headers[i]) + 10, &checks[i], sizeof checks[i]);
}

template <typename Headers>
void fill(Headers headers, std::size_t count) {
    constexpr std::size_t many = 16 * block;  // as many as fit the stack of any thread
    std::uint16_t checks[many];
    for (std::size_t now; count != 0; headers = headers.from(now), count -= now) {
        now = std::min(count, many);
        run(headers, now, Ask::check, checks);
        store(headers, checks, now);
    }
}

}  // namespace

constinit const std::span<const Method> methods{rows};

}  // namespace onesum::lists

using namespace onesum::lists;

extern "C" {

size_t onesum_ipv4_headers(const void *headers, size_t stride, size_t count, uint16_t *results) {
    return run(AtStride{static_cast<const char *>(headers), stride}, count, Ask::result, results);
}

size_t onesum_ipv4_headers_list(const void *const *headers, size_t count, uint16_t *results) {
    return run(AtPointers{headers}, count, Ask::result, results);
}

void onesum_ipv4_headers_fill(void *headers, size_t stride, size_t count) {
    fill(AtStride{static_cast<const char *>(headers), stride}, count);
}

void onesum_ipv4_headers_fill_list(void *const *headers, size_t count) { fill(AtPointers{headers}, count); }
}
