// The implementation in use. SPDX-License-Identifier: MIT
#pragma once

#include "dispatch/kernel.h"

namespace onesum::dispatch {

// The row in use, resolved first where nothing has been yet. Who calls a kernel more than once takes its row
// once: rows are immutable and never go away, so what runs on while another thread selects stays right.
const Kernel *resolved();

}  // namespace onesum::dispatch
