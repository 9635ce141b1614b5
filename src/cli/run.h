// One command, and how it ends. SPDX-License-Identifier: MIT
#pragma once

#include "cli/command_line.h"

namespace onesum::cli {

// Runs what is asked for, unless a forced name cannot be followed (info says why). Returns the exit status:
// trouble too if what was printed could not be written.
int run(const Request &request);

}  // namespace onesum::cli
