/* onesum in one file: the Internet checksum (RFC 1071), all of onesum.h. SPDX-License-Identifier: MIT
 *
 * Compile it as C99 or later, or as C++, with the rest of your program, and have onesum.h beside it; it needs
 * no options, no other file and no library. What is fastest on the CPU is chosen at run time: adc, avx2, avx512
 * and avx512_vnni on x86-64, neon on arm64, with GNU C or a compiler that takes its extensions; portable C
 * elsewhere.
 * Results are those of the library, and ONESUM_FORCE_IMPLEMENTATION works as it does there. packet.h and gso.h
 * are in onesum_packet.h and onesum_packet.cc, which stand on this. With -DONESUM_API= and -fvisibility=hidden
 * a library that it is a part of exports none of it.
 */
#define ONESUM_INTERNAL static

/* clang-format off */
/* Each stands on those before it. */
#include "onesum/onesum.h"
#include "dispatch/calls.h"
#include "kernels/generic.c"
#include "amalgamation/x86_64.c"
#include "amalgamation/aarch64.c"
#include "dispatch/right.c"
#include "amalgamation/dispatch.c"
#ifndef _WIN32
#include "dispatch/inline.c"
#endif
#include "amalgamation/headers.c"
#include "lists/batch.c"
#include "lists/changes.c"
#include "lists/iov.c"
#include "lists/segments.c"
#include "lists/stream.c"
