// A stranger's program in C++: the same over std::span, and a packet. SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>
#include <cstring>
#include <onesum/onesum.hpp>

int main() {
    const std::array<unsigned char, 8> bytes = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    const std::uint16_t check = onesum::checksum(std::as_bytes(std::span(bytes)));
    unsigned char stored[2];
    std::memcpy(stored, &check, 2);
    std::printf("%02x%02x %s\n", stored[0], stored[1], onesum_version());
    // An IPv4 header whose checksum is right.
    const std::array<unsigned char, 20> header = {0x45, 0x00, 0x00, 0x14, 0x00, 0x01, 0x00, 0x00, 0x40, 0xfd,
                                                  0x65, 0xea, 0x0a, 0x00, 0x00, 0x01, 0x0a, 0x00, 0x00, 0x02};
    onesum_packet_result result;
    const std::size_t count =
        onesum_packet_check(header.data(), header.size(), ONESUM_LINK_IPV4, nullptr, &result, 1);
    return count != 1 || result.verdict != ONESUM_VERDICT_GOOD;
}
