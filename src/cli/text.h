// Values as the program prints them. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace onesum::cli {

// A checksum, as it lies in a packet, as the number that people write.
inline unsigned in_network_order(std::uint16_t check) {
    unsigned char bytes[2];
    std::memcpy(bytes, &check, 2);
    return bytes[0] * 256u + bytes[1];
}

// "1 frame", "7 frames".
inline std::string counted(std::uint64_t number, const char *noun) {
    return std::to_string(number) + ' ' + noun + (number == 1 ? "" : "s");
}

// A string of JSON. What is no UTF-8 becomes U+FFFD.
std::string json_string(const std::string &text);

}  // namespace onesum::cli
