// Every reader: what protocols.cc lists. SPDX-License-Identifier: MIT
#pragma once

#include "packet/walk.h"

namespace onesum::packet {

// Each reads the header that its layer begins with, notes the checksum that it holds, and goes on with what it
// carries. It reads nothing that the layer does not have.
#define ONESUM_READER(name) void name(Walk &walk, const Layer &layer)
// link.cc
ONESUM_READER(ethernet);
ONESUM_READER(vlan);
ONESUM_READER(metadata);
ONESUM_READER(tag_of_4);
ONESUM_READER(tag_of_6);
ONESUM_READER(backbone);
ONESUM_READER(snap);
ONESUM_READER(llc);
ONESUM_READER(linux_cooked);
ONESUM_READER(linux_cooked2);
ONESUM_READER(loopback);
ONESUM_READER(ipsec_log);
ONESUM_READER(filter_log);
ONESUM_READER(switch_tag_of_4);
ONESUM_READER(switch_tag_of_8);
ONESUM_READER(switch_tag_before);
ONESUM_READER(ppp);
ONESUM_READER(ppp_or_hdlc);
ONESUM_READER(ppp_bridged);
ONESUM_READER(pppoe);
ONESUM_READER(cisco_hdlc);
ONESUM_READER(directed_ppp);
ONESUM_READER(directed_hdlc);
ONESUM_READER(directed_frame_relay);
ONESUM_READER(frame_relay);
ONESUM_READER(mpls);
ONESUM_READER(wireless);
ONESUM_READER(radiotap);
ONESUM_READER(per_packet_information);
ONESUM_READER(packet_tap);
ONESUM_READER(netfilter_log);
// ip.cc
ONESUM_READER(ip);  // either version
ONESUM_READER(ipv4);
ONESUM_READER(ipv6);
ONESUM_READER(authentication);
ONESUM_READER(esp);
// transport.cc
ONESUM_READER(tcp);
ONESUM_READER(udp);
ONESUM_READER(udplite);
ONESUM_READER(dccp);
ONESUM_READER(sctp);
// icmp.cc
ONESUM_READER(icmp);
ONESUM_READER(icmpv6);
// control.cc
ONESUM_READER(igmp);
ONESUM_READER(eigrp);
ONESUM_READER(ospf);
ONESUM_READER(pim);
ONESUM_READER(vrrp_or_carp);
ONESUM_READER(rsvp);
ONESUM_READER(nhrp);
ONESUM_READER(pgm);
ONESUM_READER(hip);
ONESUM_READER(mobility);
// tunnel.cc
ONESUM_READER(gre);
ONESUM_READER(erspan2);
ONESUM_READER(erspan3);
ONESUM_READER(wccp);
ONESUM_READER(vxlan);
ONESUM_READER(vxlan_gpe);
ONESUM_READER(nsh);
ONESUM_READER(geneve);
ONESUM_READER(gtp_user);
ONESUM_READER(teredo);
ONESUM_READER(l2tp);
ONESUM_READER(lisp);
ONESUM_READER(esp_in_udp);
ONESUM_READER(etherip);
#undef ONESUM_READER

}  // namespace onesum::packet
