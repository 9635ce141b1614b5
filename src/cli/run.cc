// One command, and how it ends. SPDX-License-Identifier: MIT
#include "cli/run.h"

#include <cstdio>

#include "cli/command.h"
#include "cli/file.h"
#include "cli/forced.h"

namespace onesum::cli {

int run(const Request &request) {
    const bool holds = forced_name_holds();
    // info is where one looks for the reason.
    if (!holds && request.command != "info") return trouble;
    const int status = request.run();
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) return failed_output();
    return holds ? status : trouble;
}

}  // namespace onesum::cli
