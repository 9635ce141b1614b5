/* lwIP's port to this machine. SPDX-License-Identifier: MIT */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define LWIP_PLATFORM_DIAG(message) \
    do {                            \
        printf message;             \
    } while (0)
#define LWIP_PLATFORM_ASSERT(message)                   \
    do {                                                \
        fprintf(stderr, "lwIP asserts: %s\n", message); \
        abort();                                        \
    } while (0)
#define LWIP_RAND() 4u
