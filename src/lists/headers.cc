// Many IPv4 headers: the calls, and the method that needs no vectors. SPDX-License-Identifier: MIT
#include "lists/headers.h"

#include <algorithm>

#include "dispatch/active.h"

namespace onesum::lists {

namespace {

template <typename Headers>
void one_by_one(Headers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    for (std::size_t i = 0; i < count; ++i) answers[i] = answer(headers[i], ask);
}

using namespace dispatch::feature;

constexpr Method rows[] = {
#if defined(__x86_64__) && defined(__LP64__)
    {avx512f | avx512bw | avx512vl, headers_avx512, headers_avx512},
    {avx2, headers_avx2, headers_avx2},
#endif
    {none, one_by_one<AtPointers>, one_by_one<AtStride>},
};

// The best method among those that need no more than the kernel in use does: who forces a kernel that needs
// nothing sees no vectors here either.
const Method &method() {
    const dispatch::Features allowed = dispatch::resolved()->needs;
    return *std::find_if(std::begin(rows), std::end(rows) - 1,
                         [=](const Method &row) { return (row.needs & ~allowed) == 0; });
}

void run(AtPointers headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    method().at_pointers(headers, count, ask, answers);
}
void run(AtStride headers, std::size_t count, Ask ask, std::uint16_t *answers) {
    method().at_stride(headers, count, ask, answers);
}

// As many answers as fit the stack of any thread and keep a method busy.
constexpr std::size_t block = 256;

template <typename Headers>
std::size_t verify(Headers headers, std::size_t count, std::uint16_t *results) {
    std::size_t wrong = 0;
    std::uint16_t own[block];
    for (std::size_t i = 0; i < count; i += block) {
        const std::size_t now = std::min(count - i, block);
        std::uint16_t *to = results ? results + i : own;
        run(headers.from(i), now, Ask::result, to);
        wrong += now - static_cast<std::size_t>(std::count(to, to + now, 0));
    }
    return wrong;
}

template <typename Headers>
void fill(Headers headers, std::size_t count) {
    std::uint16_t checks[block];
    for (std::size_t i = 0; i < count; i += block) {
        const std::size_t now = std::min(count - i, block);
        run(headers.from(i), now, Ask::check, checks);
        // The caller's memory is writable, which the way to it through Headers forgets.
        for (std::size_t j = 0; j < now; ++j)
            std::memcpy(const_cast<char *>(headers[i + j]) + 10, &checks[j], sizeof checks[j]);
    }
}

}  // namespace

constinit const std::span<const Method> methods{rows};

}  // namespace onesum::lists

using namespace onesum::lists;

extern "C" {

size_t onesum_ipv4_headers(const void *headers, size_t stride, size_t count, uint16_t *results) {
    return verify(AtStride{static_cast<const char *>(headers), stride}, count, results);
}

size_t onesum_ipv4_headers_list(const void *const *headers, size_t count, uint16_t *results) {
    return verify(AtPointers{headers}, count, results);
}

void onesum_ipv4_headers_fill(void *headers, size_t stride, size_t count) {
    fill(AtStride{static_cast<const char *>(headers), stride}, count);
}

void onesum_ipv4_headers_fill_list(void *const *headers, size_t count) { fill(AtPointers{headers}, count); }
}
