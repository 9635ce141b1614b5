/* lwIP without an operating system, with every checksum made and looked at. SPDX-License-Identifier: MIT */
#pragma once

#ifdef ONESUM
#include <onesum/compat/lwip.h>
#endif

#define NO_SYS 1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_NETCONN 0
#define LWIP_SOCKET 0
#define LWIP_IPV6 1
#define IPV6_FRAG_COPYHEADER 1
#define LWIP_ARP 0
#define LWIP_ETHERNET 0
#define LWIP_HAVE_LOOPIF 1
#define LWIP_NETIF_LOOPBACK 1
#define LWIP_STATS 1

#define CHECKSUM_GEN_IP 1
#define CHECKSUM_GEN_UDP 1
#define CHECKSUM_GEN_TCP 1
#define CHECKSUM_GEN_ICMP 1
#define CHECKSUM_GEN_ICMP6 1
#define CHECKSUM_CHECK_IP 1
#define CHECKSUM_CHECK_UDP 1
#define CHECKSUM_CHECK_TCP 1
#define CHECKSUM_CHECK_ICMP 1
#define CHECKSUM_CHECK_ICMP6 1
#define LWIP_CHECKSUM_ON_COPY 1
#define TCP_CHECKSUM_ON_COPY_SANITY_CHECK 1
#define TCP_CHECKSUM_ON_COPY_SANITY_CHECK_FAIL(message) LWIP_PLATFORM_ASSERT("the sum of a copy is wrong")

#define MEM_ALIGNMENT 8
#define MEM_SIZE (1 << 20)
#define MEMP_NUM_PBUF 512
#define MEMP_NUM_TCP_SEG 256
#define PBUF_POOL_SIZE 256
#define TCP_MSS 1448
#define TCP_WND (16 * TCP_MSS)
#define TCP_SND_BUF (16 * TCP_MSS)
#define TCP_SND_QUEUELEN 200

/* Every packet that arrives is shown to loopback.c before lwIP looks at it. */
struct pbuf;
void arrives(struct pbuf *packet);
#define LWIP_HOOK_IP4_INPUT(packet, netif) (arrives(packet), 0)
#define LWIP_HOOK_IP6_INPUT(packet, netif) (arrives(packet), 0)
