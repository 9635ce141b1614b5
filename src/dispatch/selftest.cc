// Every implementation against the definition. SPDX-License-Identifier: MIT
#include "dispatch/calls.h"
#include "dispatch/kernel.h"

using namespace onesum::dispatch;

extern "C" const char *onesum_selftest() {
    const Features have = probe();
    for (const Kernel &kernel : kernels)
        if (kernel.runs_on(have) && !onesum_calls_are_right({kernel.sum, kernel.copy})) return kernel.name;
    return nullptr;
}
