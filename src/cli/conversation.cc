// Who sends to whom. SPDX-License-Identifier: MIT
#include "cli/conversation.h"

#include <arpa/inet.h>

#include <optional>

namespace onesum::cli {

namespace {

constexpr std::size_t ipv4_header = 20, ipv6_header = 40;

using Bytes = std::span<const std::byte>;

unsigned byte_at(Bytes packet, std::size_t at) { return std::to_integer<unsigned>(packet[at]); }

// Whether extension headers lead from `at`, where one of type `next` begins, just to `end`.
bool leads_to(Bytes packet, unsigned next, std::size_t at, std::size_t end) {
    while (at < end && at + 8 <= packet.size()) {
        std::size_t size = 8;
        switch (next) {
            case 0:    // hop-by-hop options
            case 43:   // routing
            case 60:   // destination options
            case 135:  // mobility
                size = (byte_at(packet, at + 1) + 1) * std::size_t{8};
                break;
            case 44:  // fragment
                break;
            case 51:  // authentication (RFC 4302 section 2.2)
                size = (byte_at(packet, at + 1) + 2) * std::size_t{4};
                break;
            default:
                return false;
        }
        next = byte_at(packet, at);
        at += size;
    }
    return at == end;
}

// Where the IPv6 header begins whose payload, or whose chain of extension headers, ends at `end`; looked for
// back to `first`.
std::optional<std::size_t> ipv6_before(Bytes packet, std::size_t first, std::size_t end) {
    // What lies between is a multiple of 4 bytes.
    for (std::size_t between = 0; first + ipv6_header + between <= end; between += 4) {
        const std::size_t at = end - between - ipv6_header;
        if (byte_at(packet, at) >> 4 == 6 && leads_to(packet, byte_at(packet, at + 6), at + ipv6_header, end))
            return at;
    }
    return std::nullopt;
}

std::string bytes_of(Bytes packet, std::size_t at, std::size_t size) {
    return std::string(reinterpret_cast<const char *>(packet.data()) + at, size);
}

bool has_ports(unsigned protocol) {
    return protocol == ONESUM_PROTOCOL_TCP || protocol == ONESUM_PROTOCOL_UDP ||
           protocol == ONESUM_PROTOCOL_UDPLITE || protocol == ONESUM_PROTOCOL_DCCP;
}

// The two addresses in front of the checksum's layer.
std::string addresses(Bytes packet, std::span<const onesum_packet_result> results, std::size_t index) {
    const onesum_packet_result &result = results[index];
    const std::size_t layer = result.covered[0].offset;
    const auto of_ipv4 = [&](const onesum_packet_result &header) {
        const std::size_t at = header.covered[0].offset;
        return at + ipv4_header <= packet.size() ? bytes_of(packet, at + 12, 8) : "";
    };
    if (result.protocol == ONESUM_PROTOCOL_IPV4) return of_ipv4(result);
    // An IPv6 header has no checksum, so that it is not among the results. It lies behind whatever came before.
    std::size_t first = 0;
    const onesum_packet_result *header = nullptr;
    for (const onesum_packet_result &one : results.first(index)) {
        first = one.offset + 2;
        if (one.protocol == ONESUM_PROTOCOL_IPV4) header = &one;
    }
    if (const auto at = ipv6_before(packet, first, layer)) return bytes_of(packet, *at + 8, 32);
    return header ? of_ipv4(*header) : "";
}

std::string address_text(const std::string &bytes, bool bracketed) {
    char text[INET6_ADDRSTRLEN];
    const bool is_ipv6 = bytes.size() == 16;
    if (!inet_ntop(is_ipv6 ? AF_INET6 : AF_INET, bytes.data(), text, sizeof text)) return "?";
    return is_ipv6 && bracketed ? '[' + std::string(text) + ']' : text;
}

}  // namespace

Conversation conversation(std::span<const std::byte> packet, std::span<const onesum_packet_result> results,
                          std::size_t index) {
    const onesum_packet_result &result = results[index];
    Conversation found;
    found.protocol = result.protocol;
    found.ends = addresses(packet, results, index);
    const std::size_t layer = result.covered[0].offset;
    const bool ports = has_ports(result.protocol) && result.verdict != ONESUM_VERDICT_MALFORMED;
    if (!found.ends.empty() && ports && layer + 4 <= packet.size()) found.ends += bytes_of(packet, layer, 4);
    return found;
}

std::string Conversation::end(std::size_t number) const {
    if (ends.empty()) return "unknown";
    const bool ports = ends.size() % 8 != 0;
    const std::size_t size = ends.size() >= 32 ? 16 : 4;
    std::string text = address_text(ends.substr(number * size, size), ports);
    if (!ports) return text;
    const auto *const port = reinterpret_cast<const unsigned char *>(ends.data()) + 2 * size + 2 * number;
    return text + ':' + std::to_string(port[0] * 256 + port[1]);
}

}  // namespace onesum::cli
