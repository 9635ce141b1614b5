/* Many IPv4 headers, one by one, for the amalgamation. SPDX-License-Identifier: MIT */
#include "onesum/onesum.h"

static unsigned ihl_of(const void *header) { return *(const unsigned char *)header & 0x0fu; }

static uint16_t header_result(const void *header) {
    const unsigned ihl = ihl_of(header);
    return ihl < 5 ? 0xffff : onesum_ipv4_header(header, ihl);
}

static void fill_header(void *header) {
    const unsigned ihl = ihl_of(header);
    unsigned char fixed[20];
    uint32_t sum;
    uint16_t check;
    if (ihl < 5) return;
    memcpy(fixed, header, sizeof fixed);
    fixed[10] = fixed[11] = 0;
    sum = onesum_sum20(fixed);
    if (ihl != 5) sum = onesum_partial((const char *)header + 20, (size_t)(ihl - 5) * 4, sum);
    check = onesum_fold(sum);
    memcpy((char *)header + 10, &check, sizeof check);
}

size_t onesum_ipv4_headers(const void *headers, size_t stride, size_t count, uint16_t *results) {
    size_t wrong = 0, i;
    for (i = 0; i < count; ++i) {
        const uint16_t result = header_result((const char *)headers + i * stride);
        if (results) results[i] = result;
        wrong += result != 0;
    }
    return wrong;
}

size_t onesum_ipv4_headers_list(const void *const *headers, size_t count, uint16_t *results) {
    size_t wrong = 0, i;
    for (i = 0; i < count; ++i) {
        const uint16_t result = header_result(headers[i]);
        if (results) results[i] = result;
        wrong += result != 0;
    }
    return wrong;
}

void onesum_ipv4_headers_fill(void *headers, size_t stride, size_t count) {
    size_t i;
    for (i = 0; i < count; ++i) fill_header((char *)headers + i * stride);
}

void onesum_ipv4_headers_fill_list(void *const *headers, size_t count) {
    size_t i;
    for (i = 0; i < count; ++i) fill_header(headers[i]);
}
