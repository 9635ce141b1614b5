/* The header's inline functions as symbols of the library. SPDX-License-Identifier: MIT */
#define ONESUM_INLINE ONESUM_API inline
#include "onesum/onesum.h"

extern inline uint16_t onesum_fold(uint32_t sum);
extern inline uint32_t onesum_add(uint32_t a, uint32_t b);
extern inline uint32_t onesum_sub(uint32_t a, uint32_t b);
extern inline uint32_t onesum_rotate(uint32_t sum, size_t offset);
extern inline uint32_t onesum_block_add(uint32_t sum, uint32_t block, size_t offset);
extern inline uint32_t onesum_block_sub(uint32_t sum, uint32_t block, size_t offset);
extern inline uint16_t onesum_replace_diff(uint16_t check, uint32_t diff);
extern inline uint16_t onesum_replace16(uint16_t check, uint16_t from, uint16_t to);
extern inline uint16_t onesum_replace32(uint16_t check, uint32_t from, uint32_t to);
extern inline uint16_t onesum_replace128(uint16_t check, const void *from, const void *to);
extern inline uint32_t onesum_load32(const void *at);
extern inline uint64_t onesum_load64(const void *at);
extern inline uint32_t onesum_fold64(uint64_t sum);
extern inline uint64_t onesum_add64(uint64_t a, uint64_t b, uint64_t c);
extern inline uint64_t onesum_add_addresses(uint64_t sum, const void *a, const void *b);
extern inline uint32_t onesum_sum20(const void *at);
extern inline uint32_t onesum_network32(uint32_t value);
extern inline uint32_t onesum_pseudo_ipv4(const void *src, const void *dst, uint32_t length, uint8_t protocol,
                                          uint32_t sum);
extern inline uint32_t onesum_pseudo_ipv6(const void *src, const void *dst, uint32_t length,
                                          uint8_t next_header, uint32_t sum);
extern inline uint16_t onesum_ipv4_header(const void *header, unsigned ihl);
extern inline void onesum_init(struct onesum_state *state, uint32_t sum);
extern inline uint32_t onesum_final(const struct onesum_state *state);
extern inline uint16_t onesum_fold_udp(uint32_t sum);
extern inline uint16_t onesum_replace_diff_udp(uint16_t check, uint32_t diff);
extern inline uint16_t onesum_replace(uint16_t check, const struct onesum_change *changes, size_t count);
extern inline uint16_t onesum_replace_udp(uint16_t check, const struct onesum_change *changes, size_t count);
extern inline uint32_t onesum_pull(uint32_t sum, const void *header, size_t size);
extern inline uint32_t onesum_push(uint32_t sum, const void *header, size_t size);
extern inline uint32_t onesum_outer(const void *headers, size_t size, uint32_t inner, uint32_t sum);
