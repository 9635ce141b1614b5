// An application's file with ONESUM_DPDK_REPLACE: its rte_ calls are onesum's. SPDX-License-Identifier: MIT
#include <rte_config.h>
// after it
#include <doctest/doctest.h>

#include <string>

#define ONESUM_DPDK_REPLACE
#include <onesum/compat/dpdk.h>

TEST_CASE("with ONESUM_DPDK_REPLACE the names of rte_ip.h are onesum's") {
    CHECK((&rte_raw_cksum == &onesum_rte_raw_cksum));
    CHECK((&rte_raw_cksum_mbuf == &onesum_rte_raw_cksum_mbuf));
    CHECK((&rte_ipv4_cksum == &onesum_rte_ipv4_cksum));
    CHECK((&rte_ipv4_phdr_cksum == &onesum_rte_ipv4_phdr_cksum));
    CHECK((&rte_ipv4_udptcp_cksum == &onesum_rte_ipv4_udptcp_cksum));
    CHECK((&rte_ipv4_udptcp_cksum_mbuf == &onesum_rte_ipv4_udptcp_cksum_mbuf));
    CHECK((&rte_ipv4_udptcp_cksum_verify == &onesum_rte_ipv4_udptcp_cksum_verify));
    CHECK((&rte_ipv4_udptcp_cksum_mbuf_verify == &onesum_rte_ipv4_udptcp_cksum_mbuf_verify));
    CHECK((&rte_ipv6_phdr_cksum == &onesum_rte_ipv6_phdr_cksum));
    CHECK((&rte_ipv6_udptcp_cksum == &onesum_rte_ipv6_udptcp_cksum));
    CHECK((&rte_ipv6_udptcp_cksum_mbuf == &onesum_rte_ipv6_udptcp_cksum_mbuf));
    CHECK((&rte_ipv6_udptcp_cksum_verify == &onesum_rte_ipv6_udptcp_cksum_verify));
    CHECK((&rte_ipv6_udptcp_cksum_mbuf_verify == &onesum_rte_ipv6_udptcp_cksum_mbuf_verify));
    // In words as an application would write them: the sum of 262144 bytes ff, which DPDK's 32 bits lose.
    const std::string ones(262144, '\xff');
    CHECK(rte_raw_cksum(ones.data(), ones.size()) == 0xffff);
}
