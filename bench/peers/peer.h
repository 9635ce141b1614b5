// What a peer's file needs. SPDX-License-Identifier: MIT
//
// A peer is another project's sum, called through that project's own interface; one file each, built where the
// project is found. An interface without a seed gets it added to its result.
#pragma once

#include "contestants.h"
#include "onesum/onesum.h"

namespace bench {

void add_peer(const Contestant &sum, const Contestant &copy);

// A peer takes part by existing at namespace scope. Its sum also comes behind a memcpy.
template <SumFunction sum>
class Peer {
  public:
    Peer(const std::string &name, std::size_t longest, bool reads_past = false) {
        add_peer({"peer:" + name, sum, nullptr, longest, nullptr, true, reads_past},
                 {"memcpy+peer:" + name, nullptr, copy_then_sum<sum>, longest, nullptr, true, reads_past});
    }
};

inline constexpr std::size_t longest_int = 0x7fffffff;

}  // namespace bench
