/* The kernel's calls as a table: one of the kernel's own headers, one of onesum's. SPDX-License-Identifier: MIT
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kernel_calls {
    uint32_t (*add)(uint32_t, uint32_t), (*sub)(uint32_t, uint32_t);
    uint16_t (*add16)(uint16_t, uint16_t), (*sub16)(uint16_t, uint16_t);
    uint16_t (*fold)(uint32_t);
    uint32_t (*unfold)(uint16_t), (*negate)(uint32_t);
    uint32_t (*shift)(uint32_t, int);
    uint32_t (*block_add)(uint32_t, uint32_t, int), (*block_sub)(uint32_t, uint32_t, int);
    uint32_t (*block_add_ext)(uint32_t, uint32_t, int, int);
    uint32_t (*nofold)(uint32_t, uint32_t, uint32_t, uint8_t, uint32_t);
    uint16_t (*magic)(uint32_t, uint32_t, uint32_t, uint8_t, uint32_t);
    uint16_t (*header)(const void *, unsigned int);
    void (*replace2)(uint16_t *, uint16_t, uint16_t);
    void (*replace4)(uint16_t *, uint32_t, uint32_t);
    void (*replace_by_diff)(uint16_t *, uint32_t);
    void (*replace)(uint32_t *, uint32_t, uint32_t);
    uint32_t (*adjust)(void *, uint32_t, int, int);
    void (*unadjust)(uint16_t *, uint32_t);
};

extern const struct kernel_calls real_calls, onesum_calls;

#ifdef __cplusplus
}
#endif
