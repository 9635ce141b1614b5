// Values as the program prints them. SPDX-License-Identifier: MIT
#include "cli/text.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "onesum/packet.h"

namespace onesum::cli {

void add_checksum(std::string &text, std::uint16_t check) {
    constexpr char digits[] = "0123456789abcdef";
    const unsigned value = in_network_order(check);
    const char hex[] = {
        '0', 'x', digits[value >> 12], digits[value >> 8 & 15], digits[value >> 4 & 15], digits[value & 15]};
    text.append(hex, sizeof hex);
}

void add_number(std::string &text, std::uint64_t number) {
    char digits[20];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

std::string json_string(const std::string &text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string html(const std::string &text) {
    std::string escaped;
    for (const char c : nlohmann::json::parse(json_string(text)).get<std::string>()) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default:
                // HTML allows no other control characters.
                escaped += static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' ? ' ' : c;
        }
    }
    return escaped;
}

Colours::Colours(std::FILE *stream, bool quiet) {
    const char *const none = std::getenv("NO_COLOR");
    const char *const terminal = std::getenv("TERM");
    any_ =
        !quiet && isatty(fileno(stream)) && !(none && *none) && terminal && std::strcmp(terminal, "dumb") != 0;
}

std::string Colours::verdict(int verdict, std::string_view text) const {
    if (verdict == ONESUM_VERDICT_GOOD) return green(text);
    const bool is_bad = verdict == ONESUM_VERDICT_BAD || verdict == ONESUM_VERDICT_ILLEGAL_ZERO;
    return is_bad ? red(text) : yellow(text);
}

std::string Colours::in(const char *code, std::string_view text) const {
    if (!any_) return std::string(text);
    return "\033[" + std::string(code) + 'm' + std::string(text) + "\033[m";
}

}  // namespace onesum::cli
