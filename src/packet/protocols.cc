// THE table: which number of which layer names which reader. SPDX-License-Identifier: MIT
#include <array>
#include <iterator>

#include "packet/readers.h"

namespace onesum::packet {

namespace {

// Where a number comes from.
enum Space { link_type, ethertype, ip_protocol, ppp_protocol, udp_port, udp_source_port };

struct Row {
    Space space;
    uint16_t number;
    Reader reader;
};

// The frequent ones of each kind first.
constexpr Row rows[] = {
    {link_type, ONESUM_LINK_ETHERNET, ethernet},
    {link_type, ONESUM_LINK_RAW, ip},
    {link_type, 12, ip},  // LINKTYPE_RAW as some systems number it in files
    {link_type, 14, ip},
    {link_type, ONESUM_LINK_IPV4, ipv4},
    {link_type, ONESUM_LINK_IPV6, ipv6},
    {link_type, ONESUM_LINK_LINUX_COOKED, linux_cooked},
    {link_type, ONESUM_LINK_LINUX_COOKED2, linux_cooked2},
    {link_type, ONESUM_LINK_NULL, loopback},
    {link_type, ONESUM_LINK_LOOP, loopback},
    {link_type, ONESUM_LINK_PPP, ppp_or_hdlc},
    {link_type, ONESUM_LINK_PPP_HDLC, ppp_or_hdlc},
    {link_type, ONESUM_LINK_PPPOE, pppoe},
    {link_type, ONESUM_LINK_LLC, llc},
    {link_type, ONESUM_LINK_CISCO_HDLC, cisco_hdlc},
    {link_type, ONESUM_LINK_FRAME_RELAY, frame_relay},
    {link_type, ONESUM_LINK_PPP_DIRECTION, directed_ppp},
    {link_type, ONESUM_LINK_HDLC_DIRECTION, directed_hdlc},
    {link_type, ONESUM_LINK_FRAME_DIRECTION, directed_frame_relay},
    {link_type, ONESUM_LINK_MPLS, mpls},
    {link_type, ONESUM_LINK_IEEE802_11, wireless},
    {link_type, ONESUM_LINK_RADIOTAP, radiotap},
    {link_type, ONESUM_LINK_PPI, per_packet_information},
    {link_type, ONESUM_LINK_NFLOG, netfilter_log},
    {link_type, ONESUM_LINK_PKTAP, packet_tap},
    {link_type, ONESUM_LINK_PFLOG, filter_log},
    {link_type, ONESUM_LINK_ENC, ipsec_log},
    {link_type, ONESUM_LINK_BROADCOM_TAG, switch_tag_of_4},
    {link_type, ONESUM_LINK_BROADCOM_TAG_FIRST, switch_tag_before},
    {link_type, ONESUM_LINK_DSA_TAG, switch_tag_of_4},
    {link_type, ONESUM_LINK_EDSA_TAG, switch_tag_of_8},

    {ethertype, 0x0800, ipv4},
    {ethertype, 0x86dd, ipv6},
    {ethertype, 0x8100, vlan},
    {ethertype, 0x88a8, vlan},
    {ethertype, 0x9100, vlan},  // and three from before there was a standard
    {ethertype, 0x9200, vlan},
    {ethertype, 0x9300, vlan},
    {ethertype, 0x8847, mpls},
    {ethertype, 0x8848, mpls},
    {ethertype, 0x8864, pppoe},
    {ethertype, 0x6558, ethernet},  // transparent bridging, in GRE and Geneve
    {ethertype, 0x880b, ppp},
    {ethertype, 0x88be, erspan2},
    {ethertype, 0x22eb, erspan3},
    {ethertype, 0x894f, nsh},
    {ethertype, 0x2001, nhrp},  // in GRE
    {ethertype, 0x883e, wccp},
    {ethertype, 0x8909, metadata},  // Cisco
    {ethertype, 0x8926, tag_of_4},  // Cisco VN-Tag
    {ethertype, 0x892f, tag_of_4},  // HSR (IEC 62439-3)
    {ethertype, 0xf1c1, tag_of_4},  // IEEE 802.1CB
    {ethertype, 0x893f, tag_of_6},  // IEEE 802.1BR
    {ethertype, 0x88e7, backbone},  // IEEE 802.1ah

    {ip_protocol, 6, tcp},
    {ip_protocol, 17, udp},
    {ip_protocol, 1, icmp},
    {ip_protocol, 58, icmpv6},
    {ip_protocol, 2, igmp},
    {ip_protocol, 4, ipv4},
    {ip_protocol, 41, ipv6},
    {ip_protocol, 47, gre},
    {ip_protocol, 50, esp},
    {ip_protocol, 51, authentication},
    {ip_protocol, 33, dccp},
    {ip_protocol, 46, rsvp},
    {ip_protocol, 54, nhrp},
    {ip_protocol, 88, eigrp},
    {ip_protocol, 89, ospf},
    {ip_protocol, 97, etherip},
    {ip_protocol, 103, pim},
    {ip_protocol, 112, vrrp_or_carp},
    {ip_protocol, 113, pgm},
    {ip_protocol, 132, sctp},
    {ip_protocol, 135, mobility},
    {ip_protocol, 136, udplite},
    {ip_protocol, 137, mpls},
    {ip_protocol, 139, hip},
    {ip_protocol, 143, ethernet},

    {ppp_protocol, 0x0021, ipv4},
    {ppp_protocol, 0x0057, ipv6},
    {ppp_protocol, 0x0031, ppp_bridged},
    {ppp_protocol, 0x0281, mpls},
    {ppp_protocol, 0x0283, mpls},

    {udp_port, 4789, vxlan},
    {udp_port, 8472, vxlan},  // Linux's own choice, from before there was one
    {udp_port, 4790, vxlan_gpe},
    {udp_port, 6081, geneve},
    {udp_port, 2152, gtp_user},
    {udp_port, 4341, lisp},
    {udp_port, 3544, teredo},
    {udp_port, 1701, l2tp},
    {udp_port, 4500, esp_in_udp},
    {udp_port, 4754, gre},
    {udp_port, 6635, mpls},
    {udp_port, 9899, sctp},
    // What comes back is sent from the same port. The others are sent to theirs in both directions, from ports
    // that are chosen at random, and that other protocols use as well.
    {udp_source_port, 3544, teredo},
    {udp_source_port, 1701, l2tp},
    {udp_source_port, 4500, esp_in_udp},
    {udp_source_port, 9899, sctp},
};

constexpr size_t count_of(Space space) {
    size_t count = 0;
    for (const Row &row : rows) count += row.space == space;
    return count;
}

// The rows of one kind, and a bit for each remainder of 64 that a number of theirs has: most numbers that name
// nothing are told by it.
template <Space space>
struct Index {
    std::array<Row, count_of(space)> part{};
    uint64_t remainders = 0;

    constexpr Index() {
        size_t i = 0;
        for (const Row &row : rows) {
            if (row.space != space) continue;
            part[i++] = row;
            remainders |= uint64_t{1} << row.number % 64;
        }
    }
};

template <Space space>
Reader find(uint32_t number) {
    static constexpr Index<space> index;
    if (!(index.remainders >> number % 64 & 1)) return nullptr;
    for (const Row &row : index.part)
        if (row.number == number) return row.reader;
    return nullptr;
}

}  // namespace

Reader by_link_type(uint32_t type) { return find<link_type>(type); }
Reader by_ethertype(unsigned type) { return find<ethertype>(type); }
Reader by_ip_protocol(unsigned number) { return find<ip_protocol>(number); }
Reader by_ppp_protocol(unsigned number) { return find<ppp_protocol>(number); }
Reader by_udp_ports(unsigned from, unsigned to) {
    const Reader reader = find<udp_port>(to);
    return reader ? reader : find<udp_source_port>(from);
}

void Walk::run(uint32_t start) { enter(by_link_type(start), {0, bytes.size(), bytes.size(), nullptr}); }

}  // namespace onesum::packet
