// onesum selftest: is every implementation right on this machine? SPDX-License-Identifier: MIT
#include <cstdio>
#include <vector>

#include "cli/command.h"
#include "onesum/onesum.h"

namespace onesum::cli {

int selftest() {
    if (const char *const wrong = onesum_selftest()) {
        std::printf("%s: WRONG\n", wrong);
        return bad;
    }
    std::vector<onesum_implementation_info> list(onesum_implementations(nullptr, 0));
    onesum_implementations(list.data(), list.size());
    for (const onesum_implementation_info &one : list)
        std::printf("%s: %s\n", one.name, one.supported ? "right" : "not tested: this CPU cannot run it");
    return good;
}

}  // namespace onesum::cli
