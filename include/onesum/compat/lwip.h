/* onesum: the checksum of lwIP. SPDX-License-Identifier: MIT
 *
 * Include this in lwipopts.h or arch/cc.h. LWIP_CHKSUM is then onesum's sum, and with LWIP_CHECKSUM_ON_COPY
 * LWIP_CHKSUM_COPY, with which tcp_write() and UDP sockets copy, is its copy that sums in the same pass.
 * lwIP 2.1 and later. Both return a u16_t as lwIP's own do: the sum of native-order words, folded and not
 * complemented.
 */
#ifndef ONESUM_COMPAT_LWIP_H
#define ONESUM_COMPAT_LWIP_H

#include <onesum/onesum.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline uint16_t onesum_lwip_chksum(const void *data, int len) {
    return (uint16_t)~onesum_fold(onesum_partial(data, (size_t)len, 0));
}

static inline uint16_t onesum_lwip_chksum_copy(void *dst, const void *src, uint16_t len) {
    return (uint16_t)~onesum_fold(onesum_copy(dst, src, len, 0));
}

#ifdef __cplusplus
}
#endif

#undef LWIP_CHKSUM
#define LWIP_CHKSUM onesum_lwip_chksum
#undef LWIP_CHKSUM_COPY
#define LWIP_CHKSUM_COPY(dst, src, len) onesum_lwip_chksum_copy(dst, src, len)

#endif
