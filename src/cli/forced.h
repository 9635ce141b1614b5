// Whether a forced name could be followed. SPDX-License-Identifier: MIT
#pragma once

namespace onesum::cli {

// A forced name that could not be followed is an error here, though the library goes on without it: false,
// after a message that says which there are.
bool forced_name_holds();

}  // namespace onesum::cli
