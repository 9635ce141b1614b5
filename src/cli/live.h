// onesum check --live. SPDX-License-Identifier: MIT
#pragma once

#include "cli/command.h"

namespace onesum::cli {

// Judges what comes along on an interface until a signal ends it. Returns the exit status.
int check_live(const CheckOptions &options);

}  // namespace onesum::cli
