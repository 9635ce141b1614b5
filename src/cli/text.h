// Values as the program prints them. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace onesum::cli {

// A checksum, as it lies in a packet, as the number that people write.
inline unsigned in_network_order(std::uint16_t check) {
    unsigned char bytes[2];
    std::memcpy(bytes, &check, 2);
    return bytes[0] * 256u + bytes[1];
}

// Adds "0x12ab" for a checksum as it lies in a packet.
void add_checksum(std::string &text, std::uint16_t check);

// Adds a decimal number.
void add_number(std::string &text, std::uint64_t number);

// "1 frame", "7 frames".
inline std::string counted(std::uint64_t number, const char *noun) {
    return std::to_string(number) + ' ' + noun + (number == 1 ? "" : "s");
}

// A string of JSON. What is no UTF-8 becomes U+FFFD.
std::string json_string(const std::string &text);

// Text for HTML, between tags and in quoted attributes. What is no UTF-8 becomes U+FFFD.
std::string html(const std::string &text);

// Colours for what is printed to a stream: none where that is no terminal, or they are not wished (`quiet`, the
// variable NO_COLOR, TERM=dumb).
class Colours {
  public:
    Colours(std::FILE *stream, bool quiet);

    bool any() const { return any_; }
    std::string red(std::string_view text) const { return in("31", text); }
    std::string green(std::string_view text) const { return in("32", text); }
    std::string yellow(std::string_view text) const { return in("33", text); }

    // The colour of a verdict: green for what is good, red for what decides the exit status, yellow for the
    // rest.
    std::string verdict(int verdict, std::string_view text) const;

  private:
    std::string in(const char *code, std::string_view text) const;

    bool any_;
};

}  // namespace onesum::cli
