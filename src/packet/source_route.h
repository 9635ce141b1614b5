// Source routes in the options of IPv4. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace onesum::packet {

// A source route that is not yet at its end names the final destination last (RFC 791 section 3.1). That is the
// address that the receiver will see in its header, and so the one in the pseudo-header. Returns where its 4
// bytes are; nullptr if there is none.
inline const std::uint8_t *final_destination(const std::uint8_t *options, std::size_t size) {
    const std::uint8_t *found = nullptr;
    for (std::size_t at = 0; at < size;) {
        const unsigned type = options[at];
        if (type == 0) break;  // end of options
        if (type == 1) {       // no operation
            ++at;
            continue;
        }
        if (size - at < 2) break;
        const std::size_t length = options[at + 1];
        if (length < 2 || length > size - at) break;
        // A pointer, counted from 1, to the next address of 4 bytes; past the option where there is none left.
        if ((type == 131 || type == 137) && length >= 7 && options[at + 2] + std::size_t{3} <= length)
            found = options + at + length - 4;
        at += length;
    }
    return found;
}

}  // namespace onesum::packet
