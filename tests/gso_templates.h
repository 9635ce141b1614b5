// Header templates of every kind that onesum_gso() takes. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace templates {

using Bytes = std::vector<unsigned char>;

struct Template {
    const char *name;
    std::size_t network, transport;
    unsigned char protocol;
    bool ipv6;
    Bytes headers;
};

// All lengths, checksums and other fields that are written are 0 or nonsense here.
inline std::vector<Template> all() {
    const Bytes ethernet4 = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00};
    const Bytes ethernet6 = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x86, 0xdd};
    const Bytes vlan4 = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x81, 0x00, 0x00, 0x05, 0x08, 0x00};
    const auto ipv4 = [](unsigned char protocol) {
        return Bytes{0x45, 0,    0xee, 0xee, 0xff, 0xfe, 0x40, 0, 64, protocol,
                     0xaa, 0xaa, 10,   0,    0,    1,    10,   0, 0,  2};
    };
    Bytes ipv4_options = ipv4(6);
    ipv4_options[0] = 0x48;  // 12 bytes: router alert, and no operations
    for (const int byte : {0x94, 4, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0})
        ipv4_options.push_back(static_cast<unsigned char>(byte));
    const auto ipv6 = [](unsigned char next) {
        return Bytes{0x60, 0, 0, 0, 0xee, 0xee, next, 64,                                //
                     0xfd, 0, 0, 0, 0,    0,    0,    0,  0, 0, 0, 0, 0, 0, 0xff, 0x01,  //
                     0xfd, 0, 0, 0, 0,    0,    0,    0,  0, 0, 0, 0, 0, 0, 0xff, 0x02};
    };
    // Hop-by-hop and destination options that are padding, and a routing header that is done.
    const Bytes extensions = {60, 0, 1, 2, 0, 0, 1, 0, 43, 0, 0, 1, 3, 0, 0, 0, 6, 0, 253, 0, 0, 0, 0, 0};
    // PSH, ACK, FIN and CWR.
    const Bytes tcp = {0x30, 0x39, 0,    80,   0xff, 0xff, 0xf0, 0x00, 1, 2,
                       3,    4,    0x50, 0x99, 0x20, 0,    0xbb, 0xbb, 0, 0};
    Bytes tcp_timestamps = tcp;
    tcp_timestamps[12] = 0x80;
    for (const int byte : {1, 1, 8, 10, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0})
        tcp_timestamps.push_back(static_cast<unsigned char>(byte));
    const Bytes udp = {0x30, 0x39, 0x13, 0x88, 0xee, 0xee, 0xcc, 0xcc};

    const auto make = [](const char *name, const Bytes &link, const Bytes &network, const Bytes &rest,
                         unsigned char protocol) {
        const std::size_t end = link.size() + network.size();
        Template made{name, link.size(), end, protocol, network[0] >> 4 == 6, link};
        made.headers.insert(made.headers.end(), network.begin(), network.end());
        made.headers.insert(made.headers.end(), rest.begin(), rest.end());
        return made;
    };
    Bytes ipv6_extended = ipv6(0);
    ipv6_extended.insert(ipv6_extended.end(), extensions.begin(), extensions.end());
    return {
        make("ipv4 tcp", ethernet4, ipv4(6), tcp, 6),
        make("ipv4 tcp timestamps", vlan4, ipv4(6), tcp_timestamps, 6),
        make("ipv4 options tcp", ethernet4, ipv4_options, tcp_timestamps, 6),
        make("ipv4 tcp, no link layer", {}, ipv4(6), tcp, 6),
        make("ipv6 tcp", ethernet6, ipv6(6), tcp_timestamps, 6),
        make("ipv6 extensions tcp", ethernet6, ipv6_extended, tcp, 6),
        make("ipv4 udp", ethernet4, ipv4(17), udp, 17),
        make("ipv6 udp", ethernet6, ipv6(17), udp, 17),
    };
}

inline Template named(std::string_view name) {
    for (Template &one : all())
        if (one.name == name) return one;
    std::abort();
}

}  // namespace templates
