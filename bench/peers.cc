// Other projects' sums. SPDX-License-Identifier: MIT
#include "contestants.h"

namespace bench {

std::vector<Contestant> peers() { return {}; }

}  // namespace bench
