// onesum's packets in one file: all of packet.h and gso.h. SPDX-License-Identifier: MIT
//
// Compile it as C++17 or later with the rest of your program, beside onesum.c, and have onesum.h and
// onesum_packet.h there. Nothing of it is C++ to whoever calls it or links it: it needs onesum.c and the C
// library, and a program in C that has it is linked as C. With -DONESUM_API= and -fvisibility=hidden a library
// that it is a part of exports none of it.

// clang-format off
// Each stands on those before it; the public functions, which are in no namespace, come last.
#include "onesum/gso.h"
#include "onesum/packet.h"

// What the files share is nobody else's.
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility push(hidden)
#endif
#include "dispatch/calls.h"

// The choice at run time is made in onesum.c.
uint32_t (*onesum_segment_copy_in_use(size_t))(void *, const void *, size_t, uint32_t) { return onesum_copy; }

#include "packet/bytes.cc"
#include "packet/control.cc"
#include "packet/icmp.cc"
#include "packet/ip.cc"
#include "packet/link.cc"
#include "packet/protocols.cc"
#include "packet/transport.cc"
#include "packet/tunnel.cc"
#include "packet/frequent.cc"
#include "packet/judge.cc"
#if defined(__GNUC__) && !defined(_WIN32)
#pragma GCC visibility pop
#endif

#include "lists/gso.cc"
#include "packet/packet.cc"
