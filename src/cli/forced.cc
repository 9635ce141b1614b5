// Whether a forced name could be followed. SPDX-License-Identifier: MIT
#include "cli/forced.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/file.h"
#include "onesum/onesum.h"

namespace onesum::cli {

bool forced_name_holds() {
    const int status = onesum_forced_status();
    if (status != ONESUM_FORCED_UNKNOWN && status != ONESUM_FORCED_UNSUPPORTED) return true;
    std::vector<onesum_implementation_info> list(onesum_implementations(nullptr, 0));
    onesum_implementations(list.data(), list.size());
    std::string names;
    for (const onesum_implementation_info &one : list)
        if (one.supported) names += (names.empty() ? "" : ", ") + std::string(one.name);
    const char *forced = std::getenv("ONESUM_FORCE_IMPLEMENTATION");
    complain(
        "ONESUM_FORCE_IMPLEMENTATION=" + std::string(forced ? forced : "") +
        (status == ONESUM_FORCED_UNKNOWN ? ": there is no such implementation" : ": this CPU cannot run it") +
        "; choose one of: " + names);
    return false;
}

}  // namespace onesum::cli
