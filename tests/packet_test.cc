// Verdicts, packet by packet. All values are literals: from RFCs, from reports of what other programs got
// wrong, and from packets built with scapy 2.5. SPDX-License-Identifier: MIT
#include "packet_test.h"

#include <array>
#include <onesum/onesum.hpp>

using namespace packets;

namespace {

constexpr uint32_t v4 = ONESUM_LINK_IPV4, v6 = ONESUM_LINK_IPV6;

onesum_packet_options with(uint32_t flags) {
    onesum_packet_options options{};
    options.flags = flags;
    return options;
}

// 2001:db8::1 to 2001:db8::2, behind the first 8 bytes of an IPv6 header.
const char *const addresses6 = "20010db8000000000000000000000001 20010db8000000000000000000000002";

Packet ipv6(const char *first, const char *rest) { return hex(first) + hex(addresses6) + hex(rest); }

}  // namespace

TEST_SUITE("udp and zero") {
    const char *const header = "4500001e00010000401166cc0a0000010a000002 12345678000a";

    TEST_CASE("a computed 0 is sent as 0xffff") {
        const Packet right = hex(header) + hex("ffff832b");
        for (const char *wrong : {"0001832b", "1234832b", "fffe832b", "8000832b"}) {
            CAPTURE(wrong);
            Packet packet = hex(header) + hex(wrong);
            CHECK(verdicts(packet, v4).substr(0, 29) == "ipv4@10 66cc good, udp@26 " + std::string(wrong, 3));
            CHECK(verdicts(packet, v4).ends_with("bad ffff"));
            fill(packet, v4);
            CHECK(packet == right);
        }
        CHECK(verdicts(right, v4) == "ipv4@10 66cc good, udp@26 ffff good");
    }

    TEST_CASE("over IPv4 a stored 0 is none, and stays so") {
        Packet packet = hex(header) + hex("0000832b");
        CHECK(verdicts(packet, v4) == "ipv4@10 66cc good, udp@26 0000 absent ffff");
        const Packet before = packet;
        fill(packet, v4);
        CHECK(packet == before);
        onesum_packet_options give{};
        give.fill_verdicts = 1u << ONESUM_VERDICT_ABSENT;
        CHECK(text(fill(packet, v4, &give)) == "ipv4@10 66cc good, udp@26 0000 absent ffff filled");
        CHECK(packet == hex(header) + hex("ffff832b"));
    }

    TEST_CASE("a datagram without a checksum is translated to one without") {
        Packet packet = hex(header) + hex("0000832b");
        const Packet to = hex("c0a80001");
        const onesum_change change = {&packet[12], to.data(), 4, 12};
        const uint32_t diff = onesum_diff(&change, 1);
        uint16_t ip_check, udp_check;
        std::memcpy(&ip_check, &packet[10], 2);
        std::memcpy(&udp_check, &packet[26], 2);
        ip_check = onesum_replace_diff(ip_check, diff);
        udp_check = onesum_replace_diff_udp(udp_check, diff);
        CHECK(udp_check == 0);
        std::memcpy(&packet[10], &ip_check, 2);
        std::memcpy(&packet[26], &udp_check, 2);
        std::copy(to.begin(), to.end(), packet.begin() + 12);
        CHECK(packet == hex("4500001e000100004011b023c0a800010a000002 12345678000a 0000832b"));
        CHECK(verdicts(packet, v4) == "ipv4@10 b023 good, udp@26 0000 absent 4957");
    }

    TEST_CASE("over IPv6 a computed 0 is 0xffff too") {
        Packet packet = ipv6("60000000000a1140", "12345678000a 1111 3bb9");
        CHECK(verdicts(packet, v6) == "udp@46 1111 bad ffff");
        fill(packet, v6);
        CHECK(packet == ipv6("60000000000a1140", "12345678000a ffff 3bb9"));
    }

    TEST_CASE("over IPv6 a stored 0 is illegal unless it is allowed") {
        const Packet packet = ipv6("60000000000b1140", "03e807d0000b 0000 616263");
        CHECK(verdicts(packet, v6) == "udp@46 0000 illegal_zero d448");
        onesum_packet_options options = with(ONESUM_PACKET_ALLOW_ZERO_UDP6);
        CHECK(verdicts(packet, v6, &options) == "udp@46 0000 absent d448");
        // 2000 is its destination, 1000 its source.
        for (const uint16_t port : {2000, 1000}) {
            options.zero_udp6_ports = &port;
            options.zero_udp6_port_count = 1;
            CHECK(verdicts(packet, v6, &options) == "udp@46 0000 absent d448");
        }
        const uint16_t others[] = {4789, 53};
        options.zero_udp6_ports = others;
        options.zero_udp6_port_count = 2;
        CHECK(verdicts(packet, v6, &options) == "udp@46 0000 illegal_zero d448");
        options.zero_udp6_ports = nullptr;  // no list, whatever is said of its length
        CHECK(verdicts(packet, v6, &options) == "udp@46 0000 absent d448");
        options.flags = 0;
        options.zero_udp6_port_count = 0;
        CHECK(verdicts(packet, v6, &options) == "udp@46 0000 illegal_zero d448");
    }

    TEST_CASE("illegal also around a tunnel, and filled on demand") {
        Packet packet = ipv6("6000000000401140",
                             "03e812b500400000 0800000000002a00 020000000002020000000001 0800"
                             "45000022000700004011f970c0a80001c0a80002 00350035000e341f 696e6e657221");
        CHECK(verdicts(packet, v6) == "udp@46 0000 illegal_zero d0cc, ipv4@80 f970 good, udp@96 341f good");
        onesum_packet_options none{};
        none.fill_verdicts = 1u << ONESUM_VERDICT_BAD;
        const Packet before = packet;
        fill(packet, v6, &none);
        CHECK(packet == before);
        fill(packet, v6);
        CHECK(verdicts(packet, v6) == "udp@46 d0cc good, ipv4@80 f970 good, udp@96 341f good");
    }

    TEST_CASE("elsewhere 0 is a value like others") {
        // A header whose words add up to 0xffff.
        CHECK(verdicts(hex("4500001465eb000040fd00000a0000010a000002"), v4) == "ipv4@10 0000 good");
        CHECK(
            verdicts(hex("4500002800010000400666cd0a0000010a000002 00010002000000037bcc0000501020000000 0000"),
                     v4) == "ipv4@10 66cd good, tcp@36 0000 good");
        CHECK(verdicts(hex("4500001c00010000400166de0a0000010a000002 08000000f7ff0000"), v4) ==
              "ipv4@10 66de good, icmp@22 0000 good");
        // Receivers take either zero.
        CHECK(
            verdicts(hex("4500002800010000400666cd0a0000010a000002 00010002000000037bcc000050102000ffff 0000"),
                     v4) == "ipv4@10 66cd good, tcp@36 ffff good");
        // What is nothing but zeros behind the field is a multiple of 0xffff like others.
        CHECK(verdicts(hex("4500001c00010000400166de0a0000010a000002 ffff000100000000"), v4) ==
              "ipv4@10 66de good, icmp@22 0001 bad 0000");
        // But nothing at all adds up to no 0xffff, which is what a receiver wants.
        Packet nothing = hex("4500001c00010000400166de0a0000010a000002 0000000000000000");
        CHECK(verdicts(nothing, v4) == "ipv4@10 66de good, icmp@22 0000 bad ffff");
        fill(nothing, v4);
        CHECK(verdicts(nothing, v4) == "ipv4@10 66de good, icmp@22 ffff good");
    }
}

TEST_SUITE("lengths") {
    TEST_CASE("padding behind the packet does not count") {
        const Packet packet =
            hex("450000284f6340003806c0435bd7648bc0a8b21e0050e1cdd695ffd91989b4d35011002ef5910000");
        CHECK(verdicts(packet, v4) == "ipv4@10 c043 good, tcp@36 f591 good");
        CHECK(verdicts(packet + hex("000000000000"), v4) == "ipv4@10 c043 good, tcp@36 f591 good");
        CHECK(verdicts(packet + hex("123456789abc"), v4) == "ipv4@10 c043 good, tcp@36 f591 good");
        const Packet reply =
            hex("45000028a5d04000ff01be8e0a3201d30a32013f0e008a8fa00d000002a22de102a6c8c902a6c8c9");
        CHECK(verdicts(reply + hex("555555555556"), v4) == "ipv4@10 be8e good, icmp@22 8a8f good");
        // These add up to 0xffff, and would change nothing if they did count.
        CHECK(verdicts(reply + hex("555555555555"), v4) == "ipv4@10 be8e good, icmp@22 8a8f good");
    }

    TEST_CASE("UDP's own length, with a surplus behind it") {
        const Packet packet =
            hex("4500002800010000401166c20a0000010a000002 03e807d0000c1b5561626364 deadbeef00000000");
        const Results results = check(packet, v4);
        CHECK(text(results) == "ipv4@10 66c2 good, udp@26 1b55 good");
        CHECK(results[1].covered[0].offset == 20);
        CHECK(results[1].covered[0].size == 12);
    }

    TEST_CASE("options") {
        CHECK(verdicts(hex("4600002300010000401163c50a0000010a00000201010101 00070009000b2763616263"), v4) ==
              "ipv4@10 63c5 good, udp@30 2763 good");
    }

    TEST_CASE("headers that contradict themselves") {
        CHECK(verdicts(hex("4400001c00010000401166ce0a0000010a000002 000700080008f0da"), v4) ==
              "ipv4@10 66ce malformed");
        CHECK(verdicts(hex("4600001400010000401166ce0a0000010a000002 000700080008f0da"), v4) ==
              "ipv4@10 66ce malformed");
        CHECK(verdicts(hex("4500001000010000401166ce0a0000010a000002 000700080008f0da"), v4) ==
              "ipv4@10 66ce malformed");
        // UDP below its header, TCP beyond its segment or below its header.
        CHECK(verdicts(hex("4500001c00010000401166ce0a0000010a000002 000700080007f0da"), v4) ==
              "ipv4@10 66ce good, udp@26 f0da malformed");
        CHECK(
            verdicts(hex("4500002800010000400666cd0a0000010a000002 00010002000000037bcc0000601020000000 0000"),
                     v4) == "ipv4@10 66cd good, tcp@36 0000 malformed");
        CHECK(
            verdicts(hex("4500002800010000400666cd0a0000010a000002 00010002000000037bcc0000401020000000 0000"),
                     v4) == "ipv4@10 66cd good, tcp@36 0000 malformed");
        Packet packet = hex("4500001c00010000401166ce0a0000010a000002 000700080007f0da");
        const Packet before = packet;
        fill(packet, v4);
        CHECK(packet == before);
    }

    TEST_CASE("a header that is cut behind its checksum, and within") {
        const Packet tcp =
            hex("4500002800010000400666cd0a0000010a000002 00010002000000037bcc0000501020000000 0000");
        CHECK(verdicts(Packet(tcp.begin(), tcp.begin() + 38), v4) ==
              "ipv4@10 66cd good, tcp@36 0000 unverifiable (truncated)");
        CHECK(verdicts(Packet(tcp.begin(), tcp.begin() + 37), v4) == "ipv4@10 66cd good");
        const Packet udp = hex("4500001c00010000401166ce0a0000010a000002 000700080008ebcc");
        CHECK(verdicts(Packet(udp.begin(), udp.begin() + 27), v4) == "ipv4@10 66ce good");
    }

    TEST_CASE("lengths that pass the bytes there are") {
        const Packet whole = hex("4500002400010000401166c60a0000010a000002 0007000800100000 6162636465666768");
        Packet good = whole;
        onesum_packet_options give{};
        give.fill_verdicts = 1u << ONESUM_VERDICT_ABSENT;
        fill(good, v4, &give);
        CHECK(verdicts(good, v4) == "ipv4@10 66c6 good, udp@26 5a27 good");
        // Cut anywhere, the header is still judged, and the rest is not.
        for (size_t size = 28; size < good.size(); ++size)
            CHECK(verdicts({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}, v4) ==
                  "ipv4@10 66c6 good, udp@26 5a27 unverifiable (truncated)");
        CHECK(verdicts({good.begin(), good.begin() + 27}, v4) == "ipv4@10 66c6 good");
        CHECK(verdicts({good.begin(), good.begin() + 19}, v4) == "ipv4@10 66c6 unverifiable (truncated)");
        CHECK(verdicts({good.begin(), good.begin() + 12}, v4) == "ipv4@10 66c6 unverifiable (truncated)");
        CHECK(verdicts({good.begin(), good.begin() + 11}, v4) == "");
        // UDP's length beyond IP's, though the bytes are there.
        CHECK(verdicts(hex("4500002000010000401166ca0a0000010a000002 0007000800105a27 6162636465666768"), v4) ==
              "ipv4@10 66ca good, udp@26 5a27 unverifiable (truncated)");
        // IP's beyond PPPoE's.
        CHECK(verdicts(hex("110000010025 0021") + good, ONESUM_LINK_PPPOE) ==
              "ipv4@18 66c6 good, udp@34 5a27 unverifiable (truncated)");
        CHECK(verdicts(hex("110000010026 0021") + good, ONESUM_LINK_PPPOE) ==
              "ipv4@18 66c6 good, udp@34 5a27 good");
    }

    TEST_CASE("a jumbogram's length of 32 bits") {
        Packet packet = ipv6("6000000000000040", "1100c20400011178 0001000200001111");
        for (unsigned i = 0; i < 70000 - 8; ++i) packet.push_back(static_cast<unsigned char>(i * 7));
        CHECK(verdicts(packet, v6) == "udp@54 1111 bad f200");
        fill(packet, v6);
        CHECK(verdicts(packet, v6) == "udp@54 f200 good");
        packet.pop_back();
        CHECK(verdicts(packet, v6) == "udp@54 f200 unverifiable (truncated)");
        // One that ends within its own option is followed by no header.
        CHECK(verdicts(ipv6("6000000000000040", "1100c20400000007 0001000200001111"), v6) == "");
        packet = ipv6("6000000000000040", "0600c20400011178 0001000200000003000000045010200011110000");
        for (unsigned i = 0; i < 70000 - 20; ++i) packet.push_back(static_cast<unsigned char>(i * 7));
        CHECK(verdicts(packet, v6) == "tcp@64 1111 bad 700c");
        fill(packet, v6);
        CHECK(verdicts(packet, v6) == "tcp@64 700c good");
    }
}

TEST_SUITE("offload") {
    Packet tcp(const char *field) {
        return hex("4500003300010000400666c20a0000010a000002 03e80050000000050000000050182000") + hex(field) +
               hex("000068656c6c6f20776f726c64");
    }
    // The same with a total length of 0, as before segmentation.
    Packet tso(const char *field) {
        return hex("4500000000010000400666f50a0000010a000002 03e80050000000050000000050182000") + hex(field) +
               hex("000068656c6c6f20776f726c64");
    }

    TEST_CASE("the pseudo-header's sum alone is partial") {
        CHECK(verdicts(tcp("e5b3"), v4) == "ipv4@10 66c2 good, tcp@36 e5b3 good");
        CHECK(verdicts(tcp("1428"), v4) == "ipv4@10 66c2 good, tcp@36 1428 partial e5b3");  // of its length
        CHECK(verdicts(tcp("1409"), v4) == "ipv4@10 66c2 good, tcp@36 1409 partial e5b3");  // of length 0
        CHECK(verdicts(tcp("1429"), v4) == "ipv4@10 66c2 good, tcp@36 1429 bad e5b3");
        // Completed it would be 0, which UDP stores as 0xffff.
        CHECK(verdicts(hex("4500003300010000400666c20a0000010a000002 03e80050000000050000000050182000 1428 e5b3"
                           "68656c6c6f20776f726c64"),
                       v4) == "ipv4@10 66c2 good, tcp@36 1428 partial 0000");
        CHECK(verdicts(hex("4500001c00010000401166ce0a0000010a000002 ebd300080008141c"), v4) ==
              "ipv4@10 66ce good, udp@26 141c partial ffff");
        // Of the captured length, here 6 bytes more.
        CHECK(verdicts(tcp("142e") + hex("000000000000"), v4) == "ipv4@10 66c2 good, tcp@36 142e partial e5b3");
    }

    TEST_CASE("one around it is right as soon as the card has completed it") {
        // VXLAN, GRE, and VXLAN in VXLAN around a segment, the outer fields as Linux stores them for a card
        // that only completes the segment's.
        const struct {
            std::string before, between, behind, middle;
            size_t outer, inner;
            const char *seen, *filled;
        } tunnels[] = {
            {"4500006500010000401166850a0000010a000002 03e812b50051", "0800000000002a00", "", "", 26, 86,
             "udp@26 aacd partial", "udp@26 aacd good"},
            {"4500005d00010000402f666f0a0000010a000002 80006558", "0000", "", "", 24, 78, "gre@24 22c8 partial",
             "gre@24 22c8 good"},
            {"4500009700010000401166530a0000010a000002 03e812b50083", "0800000000002a00",
             "020000000006020000000005 0800 45000065000100004011667d0a0000050a000006 03e812b50051",
             "aac5 0800000000002a00", 26, 136, "udp@26 aaaa partial, ipv4@60 667d good, udp@76 aac5 partial",
             "udp@26 aaaa good, ipv4@60 667d good, udp@76 aac5 good"},
        };
        for (const auto &tunnel : tunnels) {
            CAPTURE(tunnel.seen);
            const auto packet = [&](const std::string &outer, const char *field,
                                    const char *inner_id = "0001") {
                return hex(tunnel.before + outer + tunnel.between + tunnel.behind + tunnel.middle +
                           "020000000004020000000003 0800 45000033" + inner_id +
                           "0000400666c20a0000010a000002 03e80050000000050000000050182000" + field +
                           "000068656c6c6f20776f726c64");
            };
            const std::string right = std::string(tunnel.seen).substr(7, 4);
            const auto behind_ip = [](const std::string &all) { return all.substr(all.find("good, ") + 6); };
            Packet sent = packet(right, "1428");
            const std::string seen = behind_ip(verdicts(sent, v4));
            CHECK(seen.starts_with(tunnel.seen));
            CHECK(seen.ends_with(" 1428 partial e5b3"));
            CHECK(behind_ip(verdicts(packet(right, "e5b3"), v4)).starts_with(tunnel.filled));
            CHECK(check(sent, v4)[1].expected == check(sent, v4)[1].stored);
            // Bad where it would be wrong even then.
            CHECK(verdicts(packet("1234", "1428"), v4).find("1234 bad") != std::string::npos);
            CHECK(verdicts(packet(right, "1429"), v4).find(right + " bad") != std::string::npos);
            // It is complete once that is.
            onesum_packet_options bad{};
            bad.fill_verdicts = 1u << ONESUM_VERDICT_BAD;
            fill(sent, v4, &bad);
            CHECK(sent == packet(right, "1428"));
            fill(sent, v4);
            CHECK(sent == packet(right, "e5b3"));
            // But it follows another repair.
            Packet both = packet(right, "1428", "0002");
            fill(both, v4, &bad);
            CHECK(verdicts(both, v4).find(" bad") == std::string::npos);
        }
    }

    TEST_CASE("and so is one around a partial one that is itself around something good") {
        const auto packet = [](const char *field) {
            return hex("4500006a00010000402f66620a0000010a000002 80000800 8c550000"
                       "4500004e00010000401166940a0000050a000006 03e812b5003a") +
                   hex(field) +
                   hex("0800000000002a00 020000000004020000000003 0800"
                       "4500001c00010000400166de0a0000010a000002 0800f7fc00010002");
        };
        const std::string inner = ", ipv4@88 66de good, icmp@100 f7fc good";
        CHECK(verdicts(packet("96cb"), v4) ==
              "ipv4@10 6662 good, gre@24 8c55 good, ipv4@38 6694 good, udp@54 96cb good" + inner);
        CHECK(verdicts(packet("1456"), v4) ==
              "ipv4@10 6662 good, gre@24 8c55 partial, ipv4@38 6694 good, udp@54 1456 partial 96cb" + inner);
    }

    TEST_CASE("and where the partial one's field ends what it covers") {
        const char *const before =
            "4500003800010000402f66940a0000010a000002 80000800 8c230000"
            "4500001c00010000401166c60a0000050a000006 03e800090008";
        CHECK(verdicts(hex(before) + hex("1424"), v4) ==
              "ipv4@10 6694 good, gre@24 8c23 partial, ipv4@38 66c6 good, udp@54 1424 partial e7e2");
    }

    TEST_CASE("GRE has no pseudo-header: what is left to the card is 0") {
        const auto packet = [](const char *field) {
            return hex("4500003800010000402f66940a0000010a000002 80000800") + hex(field) +
                   hex("0000 4500001c00010000401166c60a0000050a000006 03e800090008e7e2");
        };
        const std::string inner = ", ipv4@38 66c6 good, udp@54 e7e2 good";
        CHECK(verdicts(packet("0000"), v4) == "ipv4@10 6694 good, gre@24 0000 partial 8c23" + inner);
        CHECK(verdicts(packet("ffff"), v4) == "ipv4@10 6694 good, gre@24 ffff bad 8c23" + inner);
        Packet sent = packet("0000");
        fill(sent, v4);
        CHECK(sent == packet("8c23"));
        // A 0 that is right.
        CHECK(verdicts(hex("4500001c00010000402f66b00a0000010a000002 80004321 00003cde"), v4) ==
              "ipv4@10 66b0 good, gre@24 0000 good");
    }

    TEST_CASE("the seeds that a card wants: without a length to cut segments, with it otherwise") {
        const Packet source = hex("0a000001"), destination = hex("0a000002");
        for (const auto &[length, field] : {std::pair{0u, "1409"}, std::pair{31u, "1428"}}) {
            const auto seed = static_cast<uint16_t>(
                ~onesum_fold(onesum_pseudo_ipv4(source.data(), destination.data(), length, 6, 0)));
            Packet packet = tcp("0000");
            std::memcpy(&packet[36], &seed, 2);
            CHECK(packet == tcp(field));
            CHECK(verdicts(packet, v4) == "ipv4@10 66c2 good, tcp@36 " + std::string(field) + " partial e5b3");
        }
    }

    TEST_CASE("and is completed only where that is asked for") {
        onesum_packet_options only_bad{};
        only_bad.fill_verdicts = 1u << ONESUM_VERDICT_BAD;
        Packet packet = tcp("1428");
        fill(packet, v4, &only_bad);
        CHECK(packet == tcp("1428"));
        onesum_packet_options partial{};
        partial.fill_verdicts = 1u << ONESUM_VERDICT_PARTIAL;
        fill(packet, v4, &partial);
        CHECK(packet == tcp("e5b3"));
        packet = tcp("1111");
        fill(packet, v4, &partial);
        CHECK(packet == tcp("1111"));
    }

    TEST_CASE("a length of 0 presumes segmentation to come") {
        CHECK(verdicts(tso("1111"), v4) == "ipv4@10 66f5 good, tcp@36 1111 unverifiable (presumed_tso)");
        // Even a right one: the lengths are still to be written.
        CHECK(verdicts(tso("e5b3"), v4) == "ipv4@10 66f5 good, tcp@36 e5b3 unverifiable (presumed_tso)");
        CHECK(verdicts(tso("1409"), v4) == "ipv4@10 66f5 good, tcp@36 1409 partial e5b3");
        CHECK(verdicts(tso("1428"), v4) == "ipv4@10 66f5 good, tcp@36 1428 partial e5b3");
        const onesum_packet_options judge = with(ONESUM_PACKET_JUDGE_TSO);
        CHECK(verdicts(tso("1111"), v4, &judge) == "ipv4@10 66f5 good, tcp@36 1111 bad e5b3");
        CHECK(verdicts(tso("e5b3"), v4, &judge) == "ipv4@10 66f5 good, tcp@36 e5b3 good");
        for (const char *field : {"1111", "1409"}) {
            Packet packet = tso(field);
            fill(packet, v4);
            CHECK(packet == tso(field));
            fill(packet, v4, &judge);
            CHECK(packet == tso("e5b3"));
        }
        // IPv6 without the jumbo option.
        CHECK(verdicts(ipv6("6000000000000640", "03e80050000000050000000050182000 1111 0000 68656c6c6f"), v6) ==
              "tcp@56 1111 unverifiable (presumed_tso)");
    }

    TEST_CASE("an IPv4 header checksum of 0") {
        const Packet packet = hex("4500001c00010000401100000a0000010a000002 000700080008ebcc");
        CHECK(verdicts(packet, v4) == "ipv4@10 0000 bad 66ce, udp@26 ebcc good");
        const onesum_packet_options ignore = with(ONESUM_PACKET_IGNORE_ZERO_IPV4);
        CHECK(verdicts(packet, v4, &ignore) == "ipv4@10 0000 partial 66ce, udp@26 ebcc good");
        // Only 0 is ignored, and only in IPv4.
        CHECK(verdicts(hex("4500001c00010000401100010a0000010a000002 000700080008ebcd"), v4, &ignore) ==
              "ipv4@10 0001 bad 66ce, udp@26 ebcd bad ebcc");
        CHECK(verdicts(hex("0000000100060000000000000000 0800") + packet, ONESUM_LINK_LINUX_COOKED, &ignore) ==
              "ipv4@26 0000 partial 66ce, udp@42 ebcc good");
    }
}

TEST_SUITE("the pseudo-header's addresses") {
    TEST_CASE("ICMPv6 has one") {
        CHECK(
            verdicts(hex("6000000000403a40 00000000000000000000000000000001 00000000000000000000000000000001"
                         "8000 7f40 004b0003 2be1635f00000000ade1040000000000 101112131415161718191a1b1c1d1e1f"
                         "202122232425262728292a2b2c2d2e2f3031323334353637"),
                     v6) == "icmpv6@42 7f40 good");
        CHECK(
            verdicts(hex("6000000000403a40 00000000000000000000000000000001 00000000000000000000000000000001"
                         "8000 7fbc 004b0003 2be1635f00000000ade1040000000000 101112131415161718191a1b1c1d1e1f"
                         "202122232425262728292a2b2c2d2e2f3031323334353637"),
                     v6) == "icmpv6@42 7fbc bad 7f40");
    }

    TEST_CASE("an extension header counts neither in its length nor its protocol") {
        CHECK(verdicts(hex("6000000000240001 fe800000000000000000000000000001 ff020000000000000000000000000016"
                           "3a00050200000100 8f006f0f0000000104000000 ff0200000000000000000000000000fb"),
                       v6) == "icmpv6@50 6f0f good");
    }

    TEST_CASE("routing headers name the final destination") {
        const auto packet = [](const char *first, const char *routing, const char *udp) {
            return hex(first) + hex("20010db8000000000000000000000001 20010db8000000000000000000000005") +
                   hex(routing) + hex("000100020009") + hex(udp) + hex("78");
        };
        const char *const type0 = "1102000100000000 20010db8000000000000000000000009";
        CHECK(verdicts(packet("6000000000212b40", type0, "2c5d"), v6) == "udp@70 2c5d good");
        CHECK(verdicts(packet("6000000000212b40", type0, "2c61"), v6) == "udp@70 2c61 bad 2c5d");
        // There already: the destination in the header.
        CHECK(verdicts(packet("6000000000212b40", "1102000000000000 20010db8000000000000000000000009", "2c61"),
                       v6) == "udp@70 2c61 good");
        // Mobility's type 2.
        CHECK(verdicts(packet("6000000000212b40", "1102020100000000 20010db8000000000000000000000009", "2c5d"),
                       v6) == "udp@70 2c5d good");
        // Of several addresses the last, however many are left.
        const auto two = [](const char *first, const char *routing, const char *rest) {
            return verdicts(
                hex(first) + hex("20010db8000000000000000000000001 20010db8000000000000000000000005") +
                    hex(routing) + hex("20010db8000000000000000000000008 20010db8000000000000000000000009") +
                    hex(rest),
                v6);
        };
        for (const char *const left : {"1104000200000000", "1104000100000000"}) {
            CHECK(two("6000000000312b40", left, "0001000200092c5d78") == "udp@86 2c5d good");
            CHECK(two("6000000000312b40", left, "0001000200092c5e78") == "udp@86 2c5e bad 2c5d");
        }
        CHECK(two("6000000000312b40", "1104000000000000", "0001000200092c6178") == "udp@86 2c61 good");
        CHECK(two("60000000003d2b40", "0604000100000000", "00010002000000030000000450102000bc4d000078") ==
              "tcp@96 bc4d good");
        CHECK(two("6000000000312b40", "3a04000100000000", "8000ac3c0001000278") == "icmpv6@82 ac3c good");
        // Segment routing lists the last segment first.
        CHECK(verdicts(packet("6000000000312b40",
                              "1104040101000000 20010db8000000000000000000000009"
                              "20010db8000000000000000000000005",
                              "2c5d"),
                       v6) == "udp@86 2c5d good");
        // Of an unknown type nothing is known.
        CHECK(verdicts(packet("6000000000212b40", "1102630100000000 20010db8000000000000000000000009", "2c5d"),
                       v6) == "udp@70 2c5d unverifiable (option)");
        CHECK(verdicts(packet("6000000000212b40", "1102630000000000 20010db8000000000000000000000009", "2c61"),
                       v6) == "udp@70 2c61 good");
        // More segments than there is room for.
        CHECK(verdicts(packet("6000000000112b40", "1100000100000000", "2c5d"), v6) == "udp@54 2c5d malformed");
    }

    TEST_CASE("low-power routing elides a prefix") {
        CHECK(verdicts(hex("6000000000212b40 20010db8000000000000000000000001 20010db8000000010000000000000005"
                           "1102030188000000 0000000000000005 0000000000000009 0001000200092c5c78"),
                       v6) == "udp@70 2c5c good");
        // 4 bytes of it, and 4 of padding.
        CHECK(verdicts(hex("6000000000212b40 20010db8000000000000000000000001 20010db8000000010000000000000005"
                           "1102030144400000 000000010000000000000009 aabbccdd 0001000200092c5c78"),
                       v6) == "udp@70 2c5c good");
        // More padding than it has room for.
        CHECK(verdicts(hex("6000000000212b40 20010db8000000000000000000000001 20010db8000000010000000000000005"
                           "1102030188900000 0000000000000005 0000000000000009 0001000200092c5c78"),
                       v6) == "udp@70 2c5c malformed");
    }

    TEST_CASE("the Home Address option is the source") {
        CHECK(verdicts(ipv6("6000000000213c40",
                            "1102010200 00c910 20010db8000100000000000000000099 0001000200092bcb78"),
                       v6) == "udp@70 2bcb good");
        CHECK(verdicts(ipv6("60000000002d3c40",
                            "0602010200 00c910 20010db8000100000000000000000099"
                            "00010002000000030000000450102000bbbb000078"),
                       v6) == "tcp@80 bbbb good");
        CHECK(verdicts(ipv6("6000000000213c40",
                            "3a02010200 00c910 20010db8000100000000000000000099 8000abaa0001000278"),
                       v6) == "icmpv6@66 abaa good");
        CHECK(verdicts(ipv6("6000000000213c40",
                            "1102010200 00c901 20010db8000100000000000000000099 0001000200092bcb78"),
                       v6) == "udp@70 2bcb malformed");
    }

    TEST_CASE("unknown options") {
        CHECK(verdicts(ipv6("6000000000110040", "11001e0261620100 0001000200092c6478"), v6) ==
              "udp@54 2c64 good");
        CHECK(verdicts(ipv6("6000000000110040", "11009e0261620100 0001000200092c6478"), v6) ==
              "udp@54 2c64 unverifiable (option)");
        CHECK(verdicts(ipv6("6000000000113c40", "11005e0261620100 0001000200092c6478"), v6) ==
              "udp@54 2c64 unverifiable (option)");
        // Of those that must be discarded where they are unknown, these are known.
        for (const std::string known : {"63", "6d", "8b", "8c", "ee", "c2"})
            CHECK(verdicts(ipv6("6000000000110040", ("1100" + known + "0261620100 0001000200092c6478").c_str()),
                           v6) == "udp@54 2c64 good");
        for (const std::string unknown : {"62", "6c", "8a", "8d", "ef", "40", "c3"})
            CHECK(
                verdicts(ipv6("6000000000110040", ("1100" + unknown + "0261620100 0001000200092c6478").c_str()),
                         v6) == "udp@54 2c64 unverifiable (option)");
    }

    TEST_CASE("an option that is longer than its header, at the packet's end") {
        CHECK(verdicts(ipv6("6000000000083c40", "11000103000000 05"), v6) == "");  // without its length
        CHECK(verdicts(ipv6("6000000000082b40", "1100000100000000"), v6) == "");   // without its address
        CHECK(verdicts(ipv6("6000000000103c40", "3b01c910 000102030405060708090a0b"), v6) == "");
        CHECK(verdicts(ipv6("6000000000083c40", "3b00c2040001"), v6) == "");
    }

    TEST_CASE("a loose source route") {
        // One that is longer than the options is none.
        CHECK(verdicts(hex("47000024000100004011 db12 0a0000010a000002 01010101 830704aa 000700080008ebcc"),
                       v4) == "ipv4@10 db12 good, udp@34 ebcc good");
        // After an option of one byte that says nothing.
        CHECK(verdicts(
                  hex("480000290001000040 11432e0a0000010a000002 01830b040a0000030a000009 00010002000973cf78"),
                  v4) == "ipv4@10 432e good, udp@38 73cf good");
        CHECK(verdicts(
                  hex("48000029000100004011d0a10a0000010a000002 830b040a0000030a00000900 00010002000973cf78"),
                  v4) == "ipv4@10 d0a1 good, udp@38 73cf good");
        // Its pointer past its end: the packet has arrived.
        CHECK(verdicts(
                  hex("48000029000100004011c8a10a0000010a000002 830b0c0a0000030a00000900 00010002000973d678"),
                  v4) == "ipv4@10 c8a1 good, udp@38 73d6 good");
    }
}

TEST_SUITE("fragments") {
    TEST_CASE("the first holds a checksum over all of them, the others none") {
        Packet first =
            hex("4500002c00012000401146be0a0000010a000002 0001000200641234 78787878787878787878787878787878");
        CHECK(verdicts(first, v4) == "ipv4@10 46be good, udp@26 1234 unverifiable (fragment)");
        const Packet before = first;
        fill(first, v4);
        CHECK(first == before);
        CHECK(verdicts(hex("4500002400010003401166c30a0000010a000002 78787878787878787878787878787878"), v4) ==
              "ipv4@10 66c3 good");
        CHECK(verdicts(ipv6("6000000000202c40",
                            "1100000100000005 0001000200641234 78787878787878787878787878787878"),
                       v6) == "udp@54 1234 unverifiable (fragment)");
        CHECK(verdicts(ipv6("6000000000202c40",
                            "1100000800000005 0001000200641234 78787878787878787878787878787878"),
                       v6) == "");
    }

    TEST_CASE("the first of a packet that must be discarded besides") {
        // An unknown option behind the fragment header; the segment's header goes on in the next fragment.
        CHECK(verdicts(ipv6("6000000000242c40",
                            "3c00000100000005 06009e0261620100 0001000200000003000000048010200012340000"),
                       v6) == "tcp@72 1234 unverifiable (fragment)");
    }

    TEST_CASE("an atomic one is whole") {
        Packet packet = ipv6("6000000000132c40", "1100000000000005 00010002000bdffd616263");
        CHECK(verdicts(packet, v6) == "udp@54 dffd good");
        packet[54] ^= 1;
        fill(packet, v6);
        CHECK(packet == ipv6("6000000000132c40", "1100000000000005 00010002000bdffd616263"));
    }
}

TEST_SUITE("partial coverage") {
    TEST_CASE("UDP-Lite") {
        const auto over4 = [](const char *coverage, const char *field) {
            return verdicts(hex("4500002800010000408866 4b0a0000010a000002 03e807d0") + hex(coverage) +
                                hex(field) + hex("6c697465207061796c6f6164"),
                            v4)
                .substr(19);
        };
        CHECK(over4("0000", "af1c") == "udplite@26 af1c good");
        CHECK(over4("0008", "dfa0") == "udplite@26 dfa0 good");
        CHECK(over4("000b", "ff33") == "udplite@26 ff33 good");
        CHECK(over4("000b", "ff34") == "udplite@26 ff34 bad ff33");
        CHECK(over4("0007", "dfa1") == "udplite@26 dfa1 malformed");  // less than its header
        CHECK(over4("0028", "aef4") == "udplite@26 aef4 malformed");  // more than there is
        CHECK(over4("0008", "0000") == "udplite@26 0000 illegal_zero dfa0");
        // In the first fragment, what is covered may be in the others.
        CHECK(
            verdicts(hex("4500002800012000408846 4b0a0000010a000002 03e807d00028aef4 6c697465207061796c6f6164"),
                     v4) == "ipv4@10 464b good, udplite@26 aef4 unverifiable (fragment)");
        const Packet packet = ipv6("6000000000148840", "03e807d0000b b7c1 6c697465207061796c6f6164");
        CHECK(verdicts(packet, v6) == "udplite@46 b7c1 good");
        CHECK(check(packet, v6)[0].covered[0].size == 11);
        // What is not covered need not be there.
        CHECK(verdicts({packet.begin(), packet.begin() + 51}, v6) == "udplite@46 b7c1 good");
        CHECK(verdicts({packet.begin(), packet.begin() + 50}, v6) ==
              "udplite@46 b7c1 unverifiable (truncated)");
    }

    TEST_CASE("DCCP") {
        const auto packet = [](const char *coverage, const char *field) {
            return verdicts(hex("4500002800010000402166b20a0000010a000002 0001000203") + hex(coverage) +
                                hex(field) + hex("00000000 646174616772616d"),
                            v4)
                .substr(19);
        };
        CHECK(packet("00", "4722") == "dccp@26 4722 good");
        CHECK(packet("01", "e8c3") == "dccp@26 e8c3 good");
        CHECK(packet("02", "1000") == "dccp@26 1000 good");
        CHECK(packet("02", "1001") == "dccp@26 1001 bad 1000");
        CHECK(packet("0f", "4713") == "dccp@26 4713 malformed");
        CHECK(verdicts(
                  hex("450000280001200040 2146b20a0000010a000002 00010002030f4713 00000000 646174616772616d"),
                  v4) == "ipv4@10 46b2 good, dccp@26 4713 unverifiable (fragment)");
    }
}

TEST_SUITE("routing and control") {
    TEST_CASE("GRE covers its header and payload; inner fields stay as they are") {
        Packet packet =
            hex("4500003f00010000402f668d0a0000010a000002 80000800f9730000"
                "45000023000700004011f96fc0a80001c0a80002 03e807d0000fb594 7061796c6f6164");
        CHECK(verdicts(packet, v4) ==
              "ipv4@10 668d good, gre@24 f973 good, ipv4@38 f96f good, udp@54 b594 good");
        packet[60] ^= 0x40;
        CHECK(verdicts(packet, v4) ==
              "ipv4@10 668d good, gre@24 f973 bad 3974, ipv4@38 f96f good, udp@54 b594 bad f594");
        CHECK(verdicts(hex("4500005700010000402f66750a0000010a000002 b00086dd57e400000000000500000009"
                           "60000000000b1140") +
                           hex(addresses6) + hex("03e807d0000bc5466f6464"),
                       v4) == "ipv4@10 6675 good, gre@24 57e4 good, udp@82 c546 good");
    }

    TEST_CASE("GRE that ends behind its checksum") {
        CHECK(verdicts(hex("4500003f00010000402f668d0a0000010a000002 80000800f973"), v4) ==
              "ipv4@10 668d good, gre@24 f973 unverifiable (truncated)");
    }

    TEST_CASE("IGMP") {
        CHECK(verdicts(hex("4500001c000100000102cdda0a000001e0010203 160307f7e0010203"), v4) ==
              "ipv4@10 cdda good, igmp@22 07f7 bad 07f8");
        CHECK(verdicts(hex("4500001c000100000102cdda0a000001e0010203 160007fbe0010203"), v4) ==
              "ipv4@10 cdda good, igmp@22 07fb good");
    }

    TEST_CASE("OSPF that ends in front of its authentication's type") {
        CHECK(verdicts(hex("45000023000100004059667f0a0000010a000002 020100180a00000100000000123400"), v4) ==
              "ipv4@10 667f good");
    }

    TEST_CASE("OSPF leaves out its authentication") {
        CHECK(verdicts(hex("45000044000100000159cf5a0a000001e0000005 020100300101010100000000ee930000"
                           "0000000000000000 ffffff00000a0001000000280a0000010000000002020202"),
                       v4) == "ipv4@10 cf5a good, ospf@32 ee93 good");
        Packet simple =
            hex("45000040000100000159cf5e0a000001e0000005 0201002c0101010100000000f29a0001"
                "7365637265740000 ffffff00000a0001000000280a00000100000000");
        CHECK(verdicts(simple, v4) == "ipv4@10 cf5e good, ospf@32 f29a good");
        const Results results = check(simple, v4);
        CHECK(results[1].covered[0].size == 16);
        CHECK(results[1].covered[1].offset == 44);
        CHECK(results[1].covered[1].size == 20);
        simple[36] ^= 0xff;  // the password
        CHECK(verdicts(simple, v4) == "ipv4@10 cf5e good, ospf@32 f29a good");
        simple[44] ^= 0xff;  // the network mask
        CHECK(verdicts(simple, v4) == "ipv4@10 cf5e good, ospf@32 f29a bad f19b");
    }

    TEST_CASE("OSPF with cryptographic authentication has none") {
        Packet packet =
            hex("45000040000100000159cf5e0a000001e0000005 0201002c0101010100000000 0000 0002"
                "0000011000000005 ffffff00000a0001000000280a00000100000000");
        CHECK(verdicts(packet, v4) == "ipv4@10 cf5e good, ospf@32 0000 absent");
        const Packet before = packet;
        onesum_packet_options all{};
        all.fill_verdicts = 0xff;
        fill(packet, v4, &all);
        CHECK(packet == before);
    }

    TEST_CASE("OSPF's link-local signaling has its own") {
        const char *const ip = "4500004c00010000405966560a0000010a000002";
        const std::string hello = "0201002c0101010100000000 e09b 0000 0000000000000000 ffffff00000a",
                          rest = "01000000280a00000100000000";
        const auto found = [&](const std::string &options, const std::string &block) {
            return verdicts(hex(ip) + hex(hello + options + rest + block), v4).substr(19);
        };
        CHECK(found("12", "fff60003 0001000400000001") == "ospf@32 e09b good, ospf_lls@64 fff6 good");
        CHECK(found("12", "fff70003 0001000400000001") == "ospf@32 e09b good, ospf_lls@64 fff7 bad fff6");
        CHECK(found("12", "fff60000 0001000400000001") == "ospf@32 e09b good, ospf_lls@64 fff6 malformed");
        CHECK(found("12", "fff60004 0001000400000001") ==
              "ospf@32 e09b good, ospf_lls@64 fff6 unverifiable (truncated)");
        // Only where the options say so.
        CHECK(found("02", "fff60003 0001000400000001") == "ospf@32 e09b bad f09b");
        CHECK(verdicts(hex("4500004000010000405966620a0000010a000002"
                           "020200200101010100000000 e3fe 0000 0000000000000000 05dc 12 00 00000001"
                           "fff600030001000400000001"),
                       v4) == "ipv4@10 6662 good, ospf@32 e3fe good, ospf_lls@52 fff6 good");
        CHECK(verdicts(hex("4500004000010000405966620a0000010a000002"
                           "020300200101010100000000 e3fd 0000 0000000000000000 05dc 12 00 00000001"
                           "fff600030001000400000001"),
                       v4) == "ipv4@10 6662 good, ospf@32 e3fd good");
        // Behind a digest, which takes its place as well.
        CHECK(verdicts(hex("4500005c00010000405966460a0000010a000002"
                           "0201002c0101010100000000 0000 0002 0000011000000005 ffffff00000a12") +
                           hex(rest) + Packet(16, 0x5a) + hex("0000 0003 0001000400000001"),
                       v4) == "ipv4@10 6646 good, ospf@32 0000 absent, ospf_lls@80 0000 absent");
        const auto over6 = [](const char *first, const char *packet) {
            return verdicts(hex(first) +
                                hex("fe800000000000000000000000000001 ff020000000000000000000000000005") +
                                hex(packet),
                            v6);
        };
        CHECK(over6("6000000000305901",
                    "030100240101010100000000 f99f 0000 0000000001000200000a00280000000000000000"
                    "fff600030001000400000001") == "ospfv3@52 f99f good, ospf_lls@76 fff6 good");
        CHECK(over6("6000000000285901",
                    "0302001c0101010100000000 f4fc 0000 00000200 05dc 0007 00000001"
                    "fff600030001000400000001") == "ospfv3@52 f4fc good, ospf_lls@68 fff6 good");
        CHECK(over6("6000000000305901",
                    "030100240101010100000000 fa9f 0000 0000000001000100000a00280000000000000000"
                    "fff600030001000400000001") == "ospfv3@52 fa9f good");
        // Before a trailer.
        CHECK(over6("6000000000405901",
                    "030100240101010100000000 0000 0000 0000000001000600000a00280000000000000000"
                    "000000030001000400000001 00010010000000010000000000000001") ==
              "ospfv3@52 0000 absent, ospf_lls@76 0000 absent");
    }

    TEST_CASE("OSPF for IPv6") {
        CHECK(verdicts(ipv6("6000000000105940", "0305000c 01010101 00000000 12340000"), v6) ==
              "ospfv3@52 1234 malformed");
        const Packet hello =
            hex("6000000000245901 fe800000000000000000000000000001 ff020000000000000000000000000005"
                "030100240101010100000000 fb9f 0000 0000000001000000000a00280000000000000000");
        CHECK(verdicts(hello, v6) == "ospfv3@52 fb9f good");
        // With the AT bit an authentication trailer takes its place.
        CHECK(verdicts(hex("6000000000345901 fe800000000000000000000000000001 ff020000000000000000000000000005"
                           "030100240101010100000000 0000 0000 0000000001000400000a00280000000000000000"
                           "00010010000000010000000000000001"),
                       v6) == "ospfv3@52 0000 absent");
        // A Database Description has its options elsewhere, where a Hello has another field.
        const auto description = [](const char *field, const char *options) {
            return verdicts(
                hex("60000000002c5901 fe800000000000000000000000000001 ff020000000000000000000000000005"
                    "0302001c0101010100000000") +
                    hex(field) + hex("0000 00") + hex(options) +
                    hex("05dc040700000001 00010010000000010000000000000001"),
                v6);
        };
        CHECK(description("0000", "000413") == "ospfv3@52 0000 absent");
        CHECK(description("1234", "000013") == "ospfv3@52 1234 bad f2e9");
    }

    TEST_CASE("a PIM Register covers 8 bytes, or all") {
        const auto over4 = [](const char *field) {
            return verdicts(hex("4500003d00010000406766570a0000010a000002 2100") + hex(field) +
                                hex("00000000"
                                    "45000021000700004011ca19c0a80001ef010101 03e807d0000d49ad 6461746121"),
                            v4);
        };
        const std::string inner = ", ipv4@38 ca19 good, udp@54 49ad good";
        CHECK(over4("deff") == "ipv4@10 6657 good, pim@22 deff good" + inner);
        CHECK(over4("8fca") == "ipv4@10 6657 good, pim@22 8fca good" + inner);
        CHECK(over4("8fcb") == "ipv4@10 6657 good, pim@22 8fcb bad deff" + inner);
        const auto over6 = [](const char *field) {
            return verdicts(ipv6("6000000000296740", "2100") + hex(field) +
                                hex("00000000"
                                    "45000021000700004011ca19c0a80001ef010101 03e807d0000d49ad 6461746121"),
                            v6);
        };
        CHECK(over6("831b") == "pim@42 831b good, ipv4@58 ca19 good, udp@74 49ad good");
        CHECK(over6("33c5") == "pim@42 33c5 good, ipv4@58 ca19 good, udp@74 49ad good");
        // A Null-Register's packet is a dummy: a header of which only the checksum counts, and not if that is
        // 0.
        const auto null = [](const char *header) {
            return verdicts(hex("4500003000010000406766640a0000010a000002 21009eff40000000") + hex(header), v4)
                .substr(35);
        };
        CHECK(null("4500001400000000006709d8c0a80001ef010101") == ", ipv4@38 09d8 good");
        CHECK(null("4500001400000000006709d9c0a80001ef010101") == ", ipv4@38 09d9 bad 09d8");
        CHECK(null("4500001400000000 00670000c0a80001ef010101") == ", ipv4@38 0000 absent 09d8");
        CHECK(null("4500001400000000 006709d8c0a80001ef0101") == ", ipv4@38 09d8 unverifiable (truncated)");
        const auto null6 = [](const char *field) {
            return verdicts(ipv6("6000000000346740",
                                 "2100431b40000000 6000000000046700"
                                 "20010db8000000000000000000000007"
                                 "ff0e0000000000000000000000000001 0000") +
                                hex(field),
                            v6);
        };
        CHECK(null6("d2c4") == "pim@42 431b good, pim@90 d2c4 good");
        CHECK(null6("d2c5") == "pim@42 431b good, pim@90 d2c5 bad d2c4");
        CHECK(verdicts(ipv6("6000000000306740",
                            "2100431f40000000 6000000000003b00"
                            "20010db8000000000000000000000007"
                            "ff0e0000000000000000000000000001"),
                       v6) == "pim@42 431f bad 431b");
    }

    TEST_CASE("so does that of version 1, which is in IGMP") {
        const auto packet = [](const char *first, const char *field) {
            return verdicts(hex("4500003d00010000400266bc0a0000010a000002") + hex(first) + hex(field) +
                                hex("10000000 45000021000700004011ca19c0a80001ef010101"
                                    "03e807d0000d49ad 6461746121"),
                            v4)
                .substr(19);
        };
        const std::string inner = ", ipv4@38 ca19 good, udp@54 49ad good";
        CHECK(packet("1401", "dbfe") == "igmp@22 dbfe good" + inner);
        CHECK(packet("1401", "8cc9") == "igmp@22 8cc9 good" + inner);
        CHECK(packet("1401", "8cca") == "igmp@22 8cca bad dbfe" + inner);
        CHECK(packet("1400", "dbfe") == "igmp@22 dbfe bad 8cca");
        CHECK(verdicts(hex("4500001a00010000400266df0a0000010a000002 1401 ebfe 0000"), v4) ==
              "ipv4@10 66df good, igmp@22 ebfe malformed");
    }

    TEST_CASE("other PIM messages are covered whole") {
        CHECK(verdicts(hex("4500001e000100000167cf6a0a000001e000000d 2000df93000100020069"), v4) ==
              "ipv4@10 cf6a good, pim@22 df93 good");
        CHECK(verdicts(ipv6("60000000000a6740", "200083ad000100020069"), v6) == "pim@42 83ad good");
    }

    TEST_CASE("VRRP, with both readings of version 3 over IPv4") {
        CHECK(
            verdicts(hex("4500002800010000ff70d1510a000001e0000012 21016401000170f3 0a0000090000000000000000"),
                     v4) == "ipv4@10 d151 good, vrrp@26 70f3 good");
        const auto packet = [](const char *field) {
            return hex("4500002000010000ff70d1590a000001e0000012 310164010064") + hex(field) + hex("0a000009");
        };
        const auto version3 = [&](const char *field) { return verdicts(packet(field), v4).substr(19); };
        CHECK((check(packet("6090"), v4)[1].flags & ONESUM_RESULT_PSEUDO) == 0);
        CHECK((check(packet("7600"), v4)[1].flags & ONESUM_RESULT_PSEUDO) != 0);
        CHECK(version3("6090") == "vrrp@26 6090 good");
        CHECK(version3("7600") == "vrrp@26 7600 good");
        CHECK(version3("7601") == "vrrp@26 7601 bad 6090");
        CHECK(verdicts(hex("60000000000870ff fe800000000000000000000000000001 ff020000000000000000000000000012"
                           "3101640000646c8b"),
                       v6) == "vrrp@46 6c8b good");
        CHECK(verdicts(hex("60000000000870ff fe800000000000000000000000000001 ff020000000000000000000000000012"
                           "3101640000646a9a"),
                       v6) == "vrrp@46 6a9a bad 6c8b");
    }

    TEST_CASE("CARP shares VRRP's number") {
        CHECK(verdicts(hex("4500003800010000ff70d1410a000001e0000012 210300070000dee3"
                           "00000001000000020000000100000002000000030000000400000005"),
                       v4) == "ipv4@10 d141 good, carp@26 dee3 good");
    }

    TEST_CASE("RSVP, where 0 is none, and its bundles") {
        CHECK(
            verdicts(hex("4500002800010000402e66a50a0000010a000002 1101bfaf01000014 000401010a00000211001234"),
                     v4) == "ipv4@10 66a5 good, rsvp@22 bfaf good");
        CHECK(
            verdicts(hex("4500002800010000402e66a50a0000010a000002 1101000001000014 000401010a00000211001234"),
                     v4) == "ipv4@10 66a5 good, rsvp@22 0000 absent bfaf");
        CHECK(verdicts(hex("4500004400010000402e66890a0000010a000002 100ceec301000030"
                           "1101bfaf01000014000401010a00000211001234 1101bfae01000014000401010a00000211001234"),
                       v4) ==
              "ipv4@10 6689 good, rsvp@22 eec3 bad eec4, rsvp@30 bfaf good, rsvp@50 bfae bad bfaf");
    }

    TEST_CASE("EIGRP") {
        const auto packet = [](const char *field) {
            return hex("0205") + hex(field) +
                   hex("000000000000000000000000 00000064 0001000c010001000000000f 000400080c000102");
        };
        const Packet header = hex("4500003c00010000405866670a0000010a000002");
        CHECK(verdicts(header + packet("ee6c"), v4) == "ipv4@10 6667 good, eigrp@22 ee6c good");
        CHECK(verdicts(header + packet("1234"), v4) == "ipv4@10 6667 good, eigrp@22 1234 bad ee6c");
        // No pseudo-header.
        CHECK(verdicts(ipv6("6000000000285840", "") + packet("ee6c"), v6) == "eigrp@42 ee6c good");
    }

    TEST_CASE("NHRP, by the size that it says") {
        const char *const before = "0001080000000000 00ff 0028";
        const char *const behind = "0000 01010400 0404a001 00000001 0a000001 c0a80001 c0a80002";
        const auto in_gre = [&](const char *field, const char *padding) {
            Packet packet = hex("4500 0000 00010000 402f 0000 0a0000010a000002 20002001 00000005") +
                            hex(before) + hex(field) + hex(behind) + hex(padding);
            packet[3] = static_cast<unsigned char>(packet.size());
            return verdicts(packet, v4).substr(23);
        };
        CHECK(in_gre("c27a", "") == "nhrp@40 c27a good");
        CHECK(in_gre("c27a", "706164") == "nhrp@40 c27a good");
        CHECK(in_gre("004d", "") == "nhrp@40 004d bad c27a");
        CHECK(
            verdicts(hex("4500003c00010000403666890a0000010a000002") + hex(before) + hex("c27a") + hex(behind),
                     v4) == "ipv4@10 6689 good, nhrp@32 c27a good");
        CHECK(verdicts(hex("020000000002020000000001 2001 0001080000000000 00ff 0014 f1ea 0000 01010400"),
                       ONESUM_LINK_ETHERNET) == "nhrp@26 f1ea good");
        CHECK(verdicts(hex("020000000002020000000001 2001 0001080000000000 00ff 0014 f1ea"),
                       ONESUM_LINK_ETHERNET) == "nhrp@26 f1ea unverifiable (truncated)");
        CHECK(verdicts(hex("020000000002020000000001 2001 0001080000000000 00ff 0013 c28f 00000101"),
                       ONESUM_LINK_ETHERNET) == "nhrp@26 c28f malformed");
    }

    TEST_CASE("PGM, where 0 is none, but not for data") {
        const auto packet = [](const char *type, const char *field) {
            return verdicts(hex("4500003100010000407166590a0000010a000002 03e807d0") + hex(type) + hex("00") +
                                hex(field) + hex("0102030405060000 00000007000000076162636465"),
                            v4)
                .substr(19);
        };
        CHECK(packet("00", "c166") == "pgm@26 c166 good");
        CHECK(packet("00", "c167") == "pgm@26 c167 bad c166");
        CHECK(packet("00", "0000") == "pgm@26 0000 absent c166");
        CHECK(packet("08", "0000") == "pgm@26 0000 absent b966");
        CHECK(packet("04", "0000") == "pgm@26 0000 illegal_zero bd66");
        CHECK(packet("05", "0000") == "pgm@26 0000 illegal_zero bc66");
    }

    TEST_CASE("HIP has a pseudo-header, with the length that it says") {
        const auto packet = [](const char *field) {
            return hex("3b040111") + hex(field) +
                   hex("0000 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
        };
        const Packet header = hex("4500003c00010000408b66340a0000010a000002");
        CHECK(verdicts(header + packet("be33"), v4) == "ipv4@10 6634 good, hip@24 be33 good");
        CHECK(verdicts(header + packet("0001"), v4) == "ipv4@10 6634 good, hip@24 0001 bad be33");
        CHECK(verdicts(ipv6("60000000002a8b40", "") + packet("76c1") + hex("1234"), v6) == "hip@44 76c1 good");
    }

    TEST_CASE("lengths shorter than the header") {
        CHECK(verdicts(hex("4500001c00010000402e66b10a0000010a000002 1101edf601000008"), v4) ==
              "ipv4@10 66b1 good, rsvp@22 edf6 good");
        CHECK(verdicts(hex("4500001c00010000402e66b10a0000010a000002 1101edf701000007"), v4) ==
              "ipv4@10 66b1 good, rsvp@22 edf7 malformed");
        CHECK(verdicts(hex("4500002c00010000405966760a0000010a000002"
                           "0201001400000000000000000000 0000 0000000000000000"),
                       v4) == "ipv4@10 6676 good, ospf@32 0000 malformed");
    }

    TEST_CASE("the Mobility Header") {
        CHECK(verdicts(ipv6("6000000000108740", "3b01050092e30007d000000501020000"), v6) == "mh@44 92e3 good");
        CHECK(verdicts(ipv6("6000000000283c40",
                            "87020102 0000c910 20010db8000100000000000000000099"
                            "3b010500924a0007d000000501020000"),
                       v6) == "mh@68 924a good");
    }

    TEST_CASE("authentication is passed, encryption named") {
        CHECK(verdicts(hex("4500003500010000403366930a0000010a000002 110000000000000100000002 00000000 00000000"
                           "00000000 000100020009 73d6 78"),
                       v4) == "ipv4@10 6693 good, udp@34 0000 malformed");  // a length of 8 bytes
        CHECK(verdicts(hex("4500003500010000403366930a0000010a000002 110400000000000100000002 00000000 00000000"
                           "00000000 000100020009 73d6 78"),
                       v4) == "ipv4@10 6693 good, udp@50 73d6 good");
        CHECK(verdicts(hex("4500002400010000403266a50a0000010a000002 0000000700000001 7365637265742d2d"), v4) ==
              "ipv4@10 66a5 good, esp@28 7365 unverifiable (encrypted)");
        CHECK(verdicts(ipv6("6000000000213340",
                            "110400000000000100000002 00000000 00000000 00000000 0001000200092c6478"),
                       v6) == "udp@70 2c64 good");
    }

    TEST_CASE("SCTP has a CRC32c, which is named and not judged, nor filled") {
        CHECK(verdicts(hex("4500002400010000408466530a0000010a000002 0001000200000003 aabbccdd03000004"), v4) ==
              "ipv4@10 6653 good, sctp@28 aabb unverifiable (crc32c)");
        // In IPv6, and quoted as far as it goes.
        CHECK(verdicts(hex("6000000000108440 20010db8000000000000000000000001 20010db8000000000000000000000002"
                           "0001000200000003 aabbccdd03000004"),
                       v6) == "sctp@48 aabb unverifiable (crc32c)");
        CHECK(verdicts(hex("6000000000088440 20010db8000000000000000000000001 20010db8000000000000000000000002"
                           "0001000200000003"),
                       v6) == "");
        Packet packet = hex("4500002400010000408400000a0000010a000002 0001000200000003 aabbccdd03000004");
        CHECK(text(fill(packet, v4)) == "ipv4@10 0000 bad 6653 filled, sctp@28 aabb unverifiable (crc32c)");
        CHECK(packet == hex("4500002400010000408466530a0000010a000002 0001000200000003 aabbccdd03000004"));
    }
}

TEST_SUITE("ICMP") {
    TEST_CASE("what an error quotes is judged, and marked") {
        Packet packet =
            hex("4500004000010000400166ba0a0000010a000002 0b00547a00000000"
                "45000024000900000111dead0a0000020a000009 0007000800100000 71756f7465642121");
        CHECK(verdicts(packet, v4) ==
              "ipv4@10 66ba good, icmp@22 547a good, ipv4@38 dead bad a5b6 quoted, udp@54 0000 absent 8445 "
              "quoted");
        // It is evidence, and never filled.
        const Packet before = packet;
        onesum_packet_options all{};
        all.fill_verdicts = 0xff;
        fill(packet, v4, &all);
        CHECK(packet == before);
    }

    TEST_CASE("the quoted packet is cut as a rule") {
        CHECK(verdicts(ipv6("6000000000393a40",
                            "030020fe00000000 6000000000201140 20010db8000000000000000000000007"
                            "20010db8000000000000000000000008 000100020009424271"),
                       v6) == "icmpv6@42 20fe bad 20e7, udp@94 4242 bad 3358 quoted");
        CHECK(verdicts(ipv6("6000000000393a40",
                            "030020fe00000000 6000000000091140 20010db8000000000000000000000007"
                            "20010db8000000000000000000000008 000100020020424271"),
                       v6)
                  .ends_with("udp@94 4242 unverifiable (truncated) quoted"));
    }

    // 8 bytes: 2000 and the checksum, then an object with an MPLS label.
    const char *const extension = "2000ddb5 0008010100010140";
    const char *const quoted = "4500002400090000401166b60a0000020a000009 0007000800108445 71756f7465642121";

    TEST_CASE("extension structures behind the quoted packet") {
        const auto found = [](const char *head, const Packet &rest) { return verdicts(hex(head) + rest, v4); };
        // The message says where the quoted packet ends (RFC 4884).
        CHECK(
            found("4500004c00010000400166ae0a0000010a000002 0b00092300090000", hex(quoted) + hex(extension)) ==
            "ipv4@10 66ae good, icmp@22 0923 good, ipv4@38 66b6 good quoted, udp@54 8445 good quoted, "
            "icmp_ext@66 ddb5 good");
        CHECK(found("4500004c00010000400166ae0a0000010a000002 0b00092300090000",
                    hex(quoted) + hex("2000ddb6 0008010100010140"))
                  .ends_with("icmp_ext@66 ddb6 bad ddb5"));
        CHECK(found("4500004c00010000400166ae0a0000010a000002 0b00e6d800090000",
                    hex(quoted) + hex("20000000 0008010100010140"))
                  .ends_with("icmp_ext@66 0000 absent ddb5"));
        // It ends before the quoted packet's own length.
        CHECK(
            found("4500004800010000400166b20a0000010a000002 0b008fa900080000",
                  hex("4500002400090000401166b60a0000020a000009 0007000800108445 71756f74") + hex(extension)) ==
            "ipv4@10 66b2 good, icmp@22 8fa9 good, ipv4@38 66b6 good quoted, "
            "udp@54 8445 unverifiable (truncated) quoted, icmp_ext@62 ddb5 good");
        // Or it does not say, and pads to 128 bytes as was done before.
        CHECK(found("450000a800010000400166520a0000010a000002 0b00092c00000000",
                    hex(quoted) + Packet(92, 0) + hex(extension)) ==
              "ipv4@10 6652 good, icmp@22 092c good, ipv4@38 66b6 good quoted, udp@54 8445 good quoted, "
              "icmp_ext@158 ddb5 good");
        CHECK(found("450000a0000100004001665a0a0000010a000002 0b00092c00000000",
                    hex(quoted) + Packet(92, 0) + hex("2000dfff")) ==
              "ipv4@10 665a good, icmp@22 092c good, ipv4@38 66b6 good quoted, udp@54 8445 good quoted, "
              "icmp_ext@158 dfff good");
        // The quoted packet was longer, but not longer than the padding.
        CHECK(found("450000a800010000400166520a0000010a000002 0b00092c00000000",
                    hex("4500006400090000401166760a0000020a000009 0007000800108445 71756f7465642121") +
                        Packet(92, 0) + hex(extension)) ==
              "ipv4@10 6652 good, icmp@22 092c good, ipv4@38 6676 good quoted, udp@54 8445 good quoted, "
              "icmp_ext@158 ddb5 good");
        // The quoted packet's own bytes are none.
        CHECK(found("450000a800010000400166520a0000010a000002 0b00092c00000000",
                    hex("4500008400090000401166b60a0000020a000009 0007000800108445 71756f7465642121") +
                        Packet(92, 0) + hex(extension))
                  .find("icmp_ext") == std::string::npos);
        CHECK(verdicts(ipv6("60000000004c3a40",
                            "0100346007000000 6000000000101140 20010db8000000000000000000000007"
                            "20010db8000000000000000000000008 0001000200103358 4242424271717171") +
                           hex(extension),
                       v6) == "icmpv6@42 3460 good, udp@94 3358 bad 3ce3 quoted, icmp_ext@106 ddb5 good");
    }

    TEST_CASE("extended echo has one at once") {
        CHECK(verdicts(ipv6("6000000000143a40", "a000033b00010100 20000f520008030165746830"), v6) ==
              "icmpv6@42 033b good, icmp_ext@50 0f52 good");
        CHECK(
            verdicts(hex("4500002800010000400166d20a0000010a000002 2a00d4fe00010100 20000f520008030165746830"),
                     v4) == "ipv4@10 66d2 good, icmp@22 d4fe good, icmp_ext@30 0f52 good");
    }

    TEST_CASE("a redirect quotes in an option") {
        CHECK(
            verdicts(ipv6("6000000000703a40",
                          "89007eee00000000 fe800000000000000000000000000001 20010db8000000000000000000000008"
                          "0201020000000001 0408000000000000 6000000000101140 20010db8000000000000000000000007"
                          "20010db8000000000000000000000008 0001000200103358 4242424271717171"),
                     v6) == "icmpv6@42 7eee good, udp@142 3358 bad 3ce3 quoted");
    }
}

TEST_SUITE("filling") {
    // VXLAN around a datagram, with the outer field and the inner one.
    Packet vxlan(const char *outer, const char *inner) {
        return hex("4500005400010000401166960a0000010a000002 03e812b50040") + hex(outer) +
               hex("0800000000002a00 0200000000020200000000010800 45000022000700004011f970c0a80001c0a80002"
                   "00350035000e") +
               hex(inner) + hex("696e6e657221");
    }

    TEST_CASE("what is in a tunnel ends with it, whatever lies behind") {
        CHECK(verdicts(hex("4500005400010000401166960a0000010a000002 03e812b500400000 0800000000002a00"
                           "0200000000020200000000010800 45000024000700004011f96ec0a80001c0a80002"
                           "0035003500100000 696e6e657221 abcd"),
                       v4) ==
              "ipv4@10 6696 good, udp@26 0000 absent 4c5c, ipv4@60 f96e good, udp@76 0000 absent");
    }

    TEST_CASE("a good outer checksum follows what it covers") {
        Packet packet = vxlan("6db0", "dead");  // the outer one is right over the wrong inner one
        CHECK(verdicts(packet, v4) ==
              "ipv4@10 6696 good, udp@26 6db0 good, ipv4@60 f970 good, udp@76 dead bad 341f");
        CHECK(text(fill(packet, v4)) ==
              "ipv4@10 6696 good, udp@26 6db0 good 183f followed, ipv4@60 f970 good, udp@76 dead bad 341f "
              "filled");
        CHECK(packet == vxlan("183f", "341f"));
        // Whatever is chosen.
        packet = vxlan("6db0", "dead");
        onesum_packet_options bad{};
        bad.fill_verdicts = 1u << ONESUM_VERDICT_BAD;
        bad.fill_protocols = 1u << ONESUM_PROTOCOL_UDP;
        fill(packet, v4, &bad);
        CHECK(packet == vxlan("183f", "341f"));
    }

    TEST_CASE("a wrong TCP checksum in a tunnel is seen under a right one of the datagram around it") {
        // To the ports of VXLAN and Geneve.
        const auto tunnel = [](const char *udp, const char *header, const char *field) {
            return hex("4500006500010000401166850a0000010a000002 03e8") + hex(udp) + hex(header) +
                   hex("020000000002020000000001 0800") +
                   hex("4500003300010000400666c20a0000010a000002 03e80050000000050000000050182000") +
                   hex(field) + hex("0000 68656c6c6f20776f726c64");
        };
        for (const auto &[port, header, outer, after] :
             {std::array{"12b50051", "0800000000002a00", "b1d7", "aad1"},
              std::array{"17c10051", "0000655800002a00", "4f73", "486d"}}) {
            CAPTURE(port);
            const std::string was = outer, is = after;
            Packet packet = tunnel((port + was).c_str(), header, "dead");
            CHECK(verdicts(packet, v4) ==
                  "ipv4@10 6685 good, udp@26 " + was + " good, ipv4@60 66c2 good, tcp@86 dead bad e5b3");
            fill(packet, v4);
            CHECK(packet == tunnel((port + is).c_str(), header, "e5b3"));
        }
    }

    TEST_CASE("one that is right as soon as the inner one is stays") {
        Packet packet = vxlan("183f", "dead");
        CHECK(text(fill(packet, v4)) ==
              "ipv4@10 6696 good, udp@26 183f bad, ipv4@60 f970 good, udp@76 dead bad 341f filled");
        CHECK(packet == vxlan("183f", "341f"));
    }

    TEST_CASE("one that stays right does not follow") {
        // Of the two zeros an ICMP message of zeros wants the other one; the sum around it is the same.
        const std::string around =
            "4500003800010000402f66940a0000010a000002 8000080077ff0000 "
            "4500001c00010000400166de0a0000010a000002";
        Packet packet = hex(around + "0000000000000000");
        CHECK(text(fill(packet, v4)) ==
              "ipv4@10 6694 good, gre@24 77ff good, ipv4@38 66de good, icmp@50 0000 bad ffff filled");
        CHECK(packet == hex(around + "0000ffff00000000"));
        CHECK(verdicts(packet, v4) ==
              "ipv4@10 6694 good, gre@24 77ff good, ipv4@38 66de good, icmp@50 ffff good");
    }

    TEST_CASE("one that is partial or absent does not follow") {
        onesum_packet_options bad{};
        bad.fill_verdicts = 1u << ONESUM_VERDICT_BAD;
        Packet packet = vxlan("1454", "dead");
        CHECK(verdicts(packet, v4).find("udp@26 1454 partial 6db0") != std::string::npos);
        fill(packet, v4, &bad);
        CHECK(packet == vxlan("1454", "341f"));
        packet = vxlan("0000", "dead");
        fill(packet, v4);
        CHECK(packet == vxlan("0000", "341f"));
    }

    TEST_CASE("what the field held before does not count, and need not be zeroed") {
        const struct {
            uint32_t start;
            Packet right;
            size_t field;
        } cases[] = {
            {v4, hex("4500001c00010000401166ce0a0000010a000002 000700080008ebcc"), 10},
            {v4, hex("4500001c00010000401166ce0a0000010a000002 000700080008ebcc"), 26},
            {v4, hex("450000284f6340003806c0435bd7648bc0a8b21e0050e1cdd695ffd91989b4d35011002ef5910000"), 36},
            {v4, hex("45000028a5d04000ff01be8e0a3201d30a32013f0e008a8fa00d000002a22de102a6c8c902a6c8c9"), 22},
            {v4,
             hex("4500003f00010000402f668d0a0000010a000002 80000800f9730000"
                 "45000023000700004011f96fc0a80001c0a80002 03e807d0000fb594 7061796c6f6164"),
             24},
            // VRRP from one router to another, not to the group.
            {v4, hex("450000280001000040706663 0a0000010a000002 21016401000170f3 0a000009 0000000000000000"),
             26},
        };
        for (const auto &[start, right, field] : cases) {
            CAPTURE(field);
            for (const Packet &old : {hex("0000"), hex("ffff"), hex("1234"), hex("8000"), hex("0001")}) {
                Packet packet = right;
                std::copy(old.begin(), old.end(), packet.begin() + static_cast<std::ptrdiff_t>(field));
                onesum_packet_options all{};
                all.fill_verdicts = 0xff;
                const Packet before = packet;
                check(packet, start, &all);
                CHECK(packet == before);
                fill(packet, start, &all);
                CHECK(packet == right);
            }
        }
    }

    TEST_CASE("only chosen protocols") {
        Packet packet = hex("4500002300070000401100000a0000010a000002 03e807d0000f1111 7061796c6f6164");
        onesum_packet_options only{};
        only.fill_protocols = 1u << ONESUM_PROTOCOL_IPV4;
        fill(packet, v4, &only);
        CHECK(packet == hex("450000230007000040116 6c10a0000010a000002 03e807d0000f1111 7061796c6f6164"));
    }

    TEST_CASE("nothing in a tunnel goes past the datagram around it") {
        Packet packet = vxlan("183f", "341f");
        packet[25] = 0x3f;
        CHECK(
            verdicts(packet, v4) ==
            "ipv4@10 6696 good, udp@26 183f bad 1862, ipv4@60 f970 good, udp@76 341f unverifiable (truncated)");
    }
}

TEST_SUITE("layers") {
    // A good datagram, behind everything that may stand before it.
    const char *const datagram = "4500001c00010000401166ce0a0000010a000002 000700080008ebcc";

    TEST_CASE("links") {
        const auto found = [](uint32_t start, const char *before) {
            const Packet head = hex(before);
            const std::string expected = "ipv4@" + std::to_string(head.size() + 10) + " 66ce good, udp@" +
                                         std::to_string(head.size() + 26) + " ebcc good";
            const std::string is = verdicts(head + hex(datagram), start);
            return is == expected ? std::string("as expected") : is;
        };
        const std::string ok = "as expected";
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 81000005 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 88a80005 81000006 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 8847 00010040 00020140") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 8848 00010140") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 880b 0021") == ok);
        for (const std::string tag : {"8100", "88a8", "9100", "9200", "9300"})
            CHECK(found(ONESUM_LINK_ETHERNET, ("020000000002020000000001" + tag + "0005 0800").c_str()) == ok);
        CHECK(found(ONESUM_LINK_ETHERNET,
                    "020000000002020000000001 8847 00010140 00000000 020000000004020000000003 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET,
                    "020000000002020000000001 8847 00010140 020000000004020000000003 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 8864 11000001001e 0021") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 0024 aaaa03 000000 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 0024 aaaa03 0000f8 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 001f 060603") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET,
                    "020000000002020000000001 88e7 00000001 020000000004020000000003 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 893f 000000000000 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 8926 00000000 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 892f 00480001 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 f1c1 00000001 0800") == ok);
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 8909 010100010000 0800") == ok);
        CHECK(found(ONESUM_LINK_RAW, "") == ok);
        CHECK(found(12, "") == ok);
        CHECK(found(14, "") == ok);
        CHECK(found(ONESUM_LINK_IPV4, "") == ok);
        CHECK(found(ONESUM_LINK_NULL, "02000000") == ok);
        CHECK(found(ONESUM_LINK_NULL, "00000002") == ok);
        CHECK(found(ONESUM_LINK_NULL, "ff03 0021") == ok);  // of interfaces that are no loopback
        CHECK(found(ONESUM_LINK_NULL, "0f00 0800") == ok);
        CHECK(found(ONESUM_LINK_LOOP, "00000002") == ok);
        CHECK(found(ONESUM_LINK_PPP, "ff03 0021") == ok);
        CHECK(found(ONESUM_LINK_PPP, "0021") == ok);
        CHECK(found(ONESUM_LINK_PPP, "21") == ok);
        CHECK(found(ONESUM_LINK_PPP, "0f000800") == ok);
        CHECK(found(ONESUM_LINK_PPP, "0281 00010140") == ok);
        CHECK(found(ONESUM_LINK_PPP, "0283 00010140") == ok);
        CHECK(verdicts(hex("0057") + ipv6("6000000000091140", "0001000200092c6478"), ONESUM_LINK_PPP) ==
              "udp@48 2c64 good");
        CHECK(found(ONESUM_LINK_PPP_HDLC, "ff03 0021") == ok);
        CHECK(found(ONESUM_LINK_PPP, "0031 0001 020000000004020000000003 0800") == ok);
        CHECK(found(ONESUM_LINK_PPP_DIRECTION, "00 ff03 0021") == ok);
        CHECK(found(ONESUM_LINK_PPPOE, "11000001001e 0021") == ok);
        CHECK(found(ONESUM_LINK_LLC, "aaaa03 000000 0800") == ok);
        CHECK(found(ONESUM_LINK_LLC, "fefe03 cc") == ok);
        CHECK(found(ONESUM_LINK_LLC, "aaaa03 0080c2 0007 020000000004020000000003 0800") == ok);
        CHECK(found(ONESUM_LINK_CISCO_HDLC, "8f00 0800") == ok);
        CHECK(found(ONESUM_LINK_HDLC_DIRECTION, "01 0f00 0800") == ok);
        CHECK(found(ONESUM_LINK_FRAME_RELAY, "1841 03 cc") == ok);
        CHECK(found(ONESUM_LINK_FRAME_RELAY, "1841 0800") == ok);
        CHECK(found(ONESUM_LINK_FRAME_RELAY, "1841 03 00 80 000000 0800") == ok);
        CHECK(found(ONESUM_LINK_FRAME_RELAY, "18400001 03 cf 0021") == ok);
        CHECK(found(ONESUM_LINK_FRAME_RELAY, "18400001 03 cf ff03 0021") == ok);
        CHECK(verdicts(hex("1841 03 8e") + ipv6("6000000000091140", "0001000200092c6478"),
                       ONESUM_LINK_FRAME_RELAY) == "udp@50 2c64 good");
        CHECK(found(ONESUM_LINK_FRAME_DIRECTION, "01 1841 03 cc") == ok);
        for (const char *const address : {"19 41", "18404040 01"})  // one byte, and five
            CHECK(verdicts(hex(address) + hex("03 cc") + hex(datagram), ONESUM_LINK_FRAME_RELAY) == "");
        CHECK(found(ONESUM_LINK_LINUX_COOKED, "0000000100060000000000000000 0800") == ok);
        CHECK(found(ONESUM_LINK_LINUX_COOKED, "0000000100060000000000000000 8100 0005 0800") == ok);
        CHECK(found(ONESUM_LINK_LINUX_COOKED, "0000000100060000000000000000 0004 aaaa03 000000 0800") == ok);
        CHECK(found(ONESUM_LINK_LINUX_COOKED2, "0800 0000 00000001 0001 00 06 0000000000000000") == ok);
        CHECK(found(ONESUM_LINK_LINUX_COOKED2,
                    "0004 0000 00000001 0001 00 06 0000000000000000 aaaa03 000000 0800") == ok);
        CHECK(found(ONESUM_LINK_LINUX_COOKED2, "8100 0000 00000001 0001 00 06 0000000000000000 0005 0800") ==
              ok);
        CHECK(found(ONESUM_LINK_MPLS, "00010140") == ok);
        for (const std::string family : {"0a", "18", "1c", "1e"})
            for (const std::string &start : {"000000" + family, family + "000000"})
                CHECK(verdicts(hex(start) + ipv6("6000000000091140", "0001000200092c6478"), ONESUM_LINK_NULL) ==
                      "udp@50 2c64 good");
        for (const char *family : {"00000007", "00000009", "00000019", "1d000000", "0000001f"})
            CHECK(verdicts(hex(family) + ipv6("6000000000091140", "0001000200092c6478"), ONESUM_LINK_NULL) ==
                  "");
        // Wireless: three addresses, four, with QoS and HT control; radiotap with a time and flags.
        const std::string addresses = "0000 020000000002 020000000001 020000000003 1000",
                          llc = "aaaa03 000000 0800";
        CHECK(found(ONESUM_LINK_IEEE802_11, ("0801" + addresses + llc).c_str()) == ok);
        CHECK(found(ONESUM_LINK_IEEE802_11, ("0803" + addresses + "020000000004" + llc).c_str()) == ok);
        CHECK(found(ONESUM_LINK_IEEE802_11, ("8801" + addresses + "0000" + llc).c_str()) == ok);
        CHECK(found(ONESUM_LINK_IEEE802_11, ("8881" + addresses + "0000 00000000" + llc).c_str()) == ok);
        for (const char *const control :
             {"4801", "0841", "0001", "0401", "0901"})  // no body, encrypted, no data
            CHECK(verdicts(hex(control + addresses + llc) + hex(datagram), ONESUM_LINK_IEEE802_11) == "");
        // Two frames in one, the first padded; and one whose length passes the bytes there are.
        const std::string head = "8801" + addresses + "8000", inner = "020000000002020000000001";
        CHECK(verdicts(hex(head + inner + "0025" + llc) + hex(datagram) + hex("5a 00" + inner + "0024" + llc) +
                           hex(datagram),
                       ONESUM_LINK_IEEE802_11) ==
              "ipv4@58 66ce good, udp@74 ebcc good, ipv4@110 66ce good, udp@126 ebcc good");
        CHECK(verdicts(hex(head + inner + "0023" + llc) + hex(datagram), ONESUM_LINK_IEEE802_11) ==
              "ipv4@58 66ce good");
        CHECK(found(ONESUM_LINK_RADIOTAP, ("0000 0800 00000000 0801" + addresses + llc).c_str()) == ok);
        CHECK(found(ONESUM_LINK_RADIOTAP,
                    ("0000 0a00 02000000 2000 8801" + addresses + "0000 0000" + llc).c_str()) == ok);
        CHECK(found(ONESUM_LINK_RADIOTAP, ("0000 1a00 03000080 00000000 00000000 1122334455667788 20 00 8801" +
                                           addresses + "0000 0000" + llc)
                                              .c_str()) == "as expected");
        CHECK(found(ONESUM_LINK_PPI, "00 00 0800 65000000") == ok);
        CHECK(found(ONESUM_LINK_PPI, "00 00 0c00 01000000 00000000 020000000002 020000000001 0800") == ok);
        // The byte order of the logging machine; the packet after an attribute that is padded.
        CHECK(found(ONESUM_LINK_NFLOG, "02 00 0000 0500 0a00 41 000000 2000 0900") == ok);
        CHECK(found(ONESUM_LINK_NFLOG, "02 00 0000 0005 000a 41 000000 0020 0009") == ok);
        CHECK(verdicts(hex("02 00 0000 0300 0a00 41 000000 2000 0900") + hex(datagram), ONESUM_LINK_NFLOG) ==
              "");
        CHECK(found(ONESUM_LINK_ENC, "02000000 00000007 00000000") == ok);
        for (const std::string length : {"3d", "3e", "40"})
            CHECK(found(ONESUM_LINK_PFLOG, (length + "020000" + std::string(112, '0') + "01000000").c_str()) ==
                  ok);
        CHECK(found(ONESUM_LINK_PFLOG, ("2d020000" + std::string(88, '0')).c_str()) == ok);
        CHECK(found(ONESUM_LINK_PKTAP, "0c000000 01000000 0c000000") == ok);
        CHECK(found(ONESUM_LINK_PKTAP, "10000000 01000000 01000000 00000000 020000000002020000000001 0800") ==
              ok);
        CHECK(verdicts(hex("0b000000 01000000 0c000000") + hex(datagram), ONESUM_LINK_PKTAP) == "");
        CHECK(verdicts(hex("0c000001 01000000 0c000000") + hex(datagram), ONESUM_LINK_PKTAP) == "");
        CHECK(found(ONESUM_LINK_BROADCOM_TAG, "020000000002020000000001 20000001 0800") == ok);
        CHECK(found(ONESUM_LINK_BROADCOM_TAG_FIRST, "20000001 020000000002020000000001 0800") == ok);
        CHECK(found(ONESUM_LINK_DSA_TAG, "020000000002020000000001 c0080001 0800") == ok);
        CHECK(found(ONESUM_LINK_EDSA_TAG, "020000000002020000000001 dada0000c0080001 8100 0005 0800") == ok);
        // The least Ethernet type; below it the field is a length.
        CHECK(found(ONESUM_LINK_ETHERNET, "020000000002020000000001 05ff aaaa03 000000 0800") == ok);
        CHECK(verdicts(hex("020000000002020000000001 0600 aaaa03 000000 0800") + hex(datagram),
                       ONESUM_LINK_ETHERNET) == "");
        // The length of an 802.3 frame holds.
        CHECK(verdicts(hex("020000000002020000000001 002b aaaa03 000000 0800"
                           "4500002400010000401166c60a0000010a000002 0007000800105a27 6162636465666768"),
                       ONESUM_LINK_ETHERNET) == "ipv4@32 66c6 good, udp@48 5a27 unverifiable (truncated)");
    }

    TEST_CASE("a segment that would be right if it were shorter") {
        CHECK(verdicts(hex("020000000002020000000001 0800 450001002800000040063df60a0000010a000002"
                           "000700080000000100000002501000649b5c0000") +
                           Packet(216, 0x5a),
                       ONESUM_LINK_ETHERNET) == "ipv4@24 3df6 good, tcp@50 9b5c bad 7c66");
    }

    TEST_CASE("a datagram whose payload could be a segment's header") {
        CHECK(verdicts(
                  hex("020000000002020000000001 0800 4500003100010000401166b90a0000010a000002 00070008001d25b7"
                      "6c6574746572732c206e6f74206120686561646572"),
                  ONESUM_LINK_ETHERNET) == "ipv4@24 66b9 good, udp@40 25b7 good");
    }

    TEST_CASE("what is told at once is what the walk tells") {
        // In pieces all goes by the walk (see check()). Headers that are nearly right, their checksums so that
        // what takes them for UDP, TCP or ICMP finds them right.
        std::mt19937 random(4);
        const auto one_of = [&](std::initializer_list<unsigned> values) {
            return values.begin()[random() % values.size()];
        };
        const auto put16 = [](Packet &packet, size_t at, size_t value) {
            packet[at] = static_cast<unsigned char>(value >> 8);
            packet[at + 1] = static_cast<unsigned char>(value);
        };
        const auto store = [](Packet &packet, size_t at, std::uint32_t sum) {
            const std::uint16_t field = onesum_fold(sum);
            std::memcpy(&packet[at], &field, 2);
        };
        const auto quick = [](const Packet &packet, size_t cut) {
            const onesum_buffer list[] = {{packet.data(), cut}, {packet.data() + cut, packet.size() - cut}};
            Results whole(ONESUM_PACKET_LAYERS), pieces(ONESUM_PACKET_LAYERS);
            whole.resize(onesum_packet_check(packet.data(), packet.size(), ONESUM_LINK_RAW, nullptr,
                                             whole.data(), whole.size()));
            pieces.resize(
                onesum_packet_check_iov(list, 2, ONESUM_LINK_RAW, nullptr, pieces.data(), pieces.size()));
            return std::pair(text(whole), text(pieces));
        };
        unsigned good = 0;
        for (int round = 0; round < 40000; ++round) {
            const size_t length = 8 + random() % 90;
            const bool four = random() % 2;
            const unsigned kind = random() % 3;  // TCP, UDP, ICMP
            const bool as_tcp = kind == 0;
            const size_t header = four ? 20 : 40;
            Packet packet(header + length + random() % 3);
            for (unsigned char &byte : packet) byte = static_cast<unsigned char>(random());
            const unsigned usual = kind == 0 ? 6 : kind == 1 ? 17 : four ? 1 : 58;
            const unsigned protocol =
                random() % 2 ? usual : one_of({0, 1, 2, 5, 6, 7, 16, 17, 18, 57, 58, 59, 253});
            put16(packet, header,
                  one_of({7, 4789, 53, 0x0800, 0x0000, 0x0301, 0x7f00, 0x8000, 0x8800, 0x8900, 0x8f00}));
            put16(packet, header + 2, one_of({7, 40000, 53}));
            if (as_tcp && length >= 20)
                packet[header + 12] = static_cast<unsigned char>(one_of({0x50, 0x51, 0x60, 0x01, 0x40, 0xf0}));
            else
                put16(packet, header + 4, random() % 8 ? length : length - 1);
            if (four) {
                packet[0] = static_cast<unsigned char>(one_of({0x45, 0x45, 0x45, 0x46, 0x44}));
                put16(packet, 2, random() % 8 ? header + length : random() % 64);
                put16(packet, 4, one_of({0, 1, 0x40, 0xffff}));
                put16(packet, 6, one_of({0, 0, 0, 0, 0x4000, 0x2000, 3, 0x1fff}));
                packet[8] = static_cast<unsigned char>(one_of({6, 17, 64}));
                packet[9] = static_cast<unsigned char>(protocol);
                put16(packet, 10, 0);
                store(packet, 10, reference::partial(packet.data(), 20, 0));
            } else {
                packet[0] = static_cast<unsigned char>(one_of({0x60, 0x60, 0x6f, 0x50}));
                put16(packet, 4, random() % 8 ? length : length + random() % 4);
                packet[6] = static_cast<unsigned char>(protocol);
                packet[7] = static_cast<unsigned char>(one_of({6, 17, 64}));
            }
            const size_t field = header + (kind == 0 ? 16 : kind == 1 ? 6 : 2);
            if (field + 2 > header + length) continue;
            put16(packet, field, 0);
            const auto size = static_cast<uint32_t>(length);
            const auto number = static_cast<uint8_t>(random() % 2 ? usual : protocol);
            const uint32_t pseudo = kind == 2 && four ? 0
                                    : four ? onesum_pseudo_ipv4(&packet[12], &packet[16], size, number, 0)
                                           : onesum_pseudo_ipv6(&packet[8], &packet[24], size, number, 0);
            store(packet, field, reference::partial(&packet[header], length, pseudo));
            const auto [whole, pieces] = quick(packet, 1 + random() % (packet.size() - 1));
            REQUIRE(whole == pieces);
            good += whole.ends_with("good") && whole.size() > 25;
        }
        CHECK(good > 2000);
    }

    TEST_CASE("SCTP in UDP") {
        CHECK(
            verdicts(hex("4500002800010000401166c20a0000010a000002 26ab26ab00140000 26ab26ab0000000012345678"),
                     v4) == "ipv4@10 66c2 good, udp@26 0000 absent e86a, sctp@36 1234 unverifiable (crc32c)");
    }

    TEST_CASE("tunnels in UDP") {
        // A datagram of IPv4 without a checksum, to a port.
        const auto found = [](const char *port, const char *before) {
            const Packet payload = hex(before) + hex(datagram);
            Packet packet =
                hex("45000000 00010000 4011 0000 0a000001 0a000002 0400") + hex(port) + hex("0000 0000");
            packet[3] = static_cast<unsigned char>(28 + payload.size());
            packet[25] = static_cast<unsigned char>(8 + payload.size());
            const std::string is = verdicts(packet + payload, v4);
            const size_t at = is.find("66ce");
            return at == std::string::npos ? is : is.substr(at);
        };
        const std::string head = "66ce good, udp@";
        const char *const frame = "020000000004020000000003 0800";
        const auto behind = [&](size_t size) { return head + std::to_string(28 + size + 26) + " ebcc good"; };
        const auto join = [&](const char *before) { return std::string(before) + frame; };
        CHECK(found("12b5", join("0800000000002a00").c_str()) == behind(22));  // VXLAN
        CHECK(found("2118", join("0800000000002a00").c_str()) == behind(22));
        CHECK(verdicts(hex("4500008000010000 4011666a 0a0000010a000002 040012b5006c0000 0800000000002a00") +
                           hex(frame) +
                           hex("4500004e00010000 4011669c 0a0000010a000002 040012b5003a0000 0800000000002a00") +
                           hex(frame) + hex(datagram),
                       v4) ==
              "ipv4@10 666a good, udp@26 0000 absent 557d, ipv4@60 669c good, udp@76 0000 absent aad7, "
              "ipv4@110 66ce good, udp@126 ebcc good");         // one in another
        CHECK(found("12b6", "0c00000100002a00") == behind(8));  // VXLAN-GPE
        CHECK(found("12b6", join("0c00000300002a00").c_str()) == behind(22));
        CHECK(found("12b6", join("0c00000400002a00 0fc2020300000100").c_str()) == behind(30));  // NSH
        CHECK(found("17c1", "0000080000002a00") == behind(8));                                  // Geneve
        CHECK(found("17c1", join("0100655800002a00 aabbccdd").c_str()) == behind(26));
        CHECK(found("0868", "30ff001c00000001") == behind(8));  // GTP-U
        CHECK(found("0868", "34ff002400000001 00000085 01000900") == behind(16));
        CHECK(found("06a5", "000200010002 ff030021") == behind(10));  // L2TP
        CHECK(found("06a5", "4002002600010002 0021") == behind(10));
        CHECK(found("06a5", "0a0200010002 00010002 0002aaaa 0021") == behind(16));
        CHECK(found("10f5", "8000000100000001") == behind(8));  // LISP
        CHECK(found("1292", "00000800") == behind(4));          // GRE
        CHECK(found("19eb", "00010140") == behind(4));          // MPLS
        // Control messages of theirs, and other versions, are no packets.
        CHECK(found("0868", "30fe001c00000001").find("66ce") == std::string::npos);
        CHECK(found("06a5", "8002000100020021").find("66ce") == std::string::npos);
        CHECK(found("17c1", "4000080000002a00").find("66ce") == std::string::npos);
        CHECK(found("1194", "0000000700000001").find("esp@36 4500 unverifiable (encrypted)") !=
              std::string::npos);
        CHECK(found("1194", "0000000000000001").find("esp") == std::string::npos);
    }

    TEST_CASE("Teredo, behind its authentication and the origin's address") {
        const auto found = [](const char *before, const char *ports = "0dd8c000") {
            const Packet payload = hex(before) + ipv6("60000000000b1140", "03e807d0000bd448616263");
            Packet packet =
                hex("45000000 00010000 4011 0000 0a000001 0a000002") + hex(ports) + hex("0000 0000");
            packet[3] = static_cast<unsigned char>(28 + payload.size());
            packet[25] = static_cast<unsigned char>(8 + payload.size());
            return verdicts(packet + payload, v4)
                .ends_with("udp@" + std::to_string(28 + hex(before).size() + 46) + " d448 good");
        };
        CHECK(found(""));
        CHECK(found("", "c0000dd8"));
        CHECK(found("0000 c000 0a000001"));
        CHECK(found("0001 0201 aabb cc 0000000000000000 00"));
        CHECK(found("0001 0000 0000000000000000 00 0000 c000 0a000001"));
    }

    TEST_CASE("tunnels in IP and GRE") {
        const auto found = [](const char *protocol, const char *before) {
            const Packet payload = hex(before) + hex(datagram);
            Packet packet = hex("45000000 00010000 40") + hex(protocol) + hex("0000 0a000001 0a000002");
            packet[3] = static_cast<unsigned char>(20 + payload.size());
            const std::string is = verdicts(packet + payload, v4);
            const size_t at = is.find("66ce");
            return at == std::string::npos ? is : is.substr(at);
        };
        const auto behind = [](size_t size) {
            return "66ce good, udp@" + std::to_string(20 + size + 26) + " ebcc good";
        };
        CHECK(found("04", "") == behind(0));
        CHECK(verdicts(hex("45000045000100004029668d 0a0000010a000002") +
                           ipv6("6000000000091140", "0001000200092c6478"),
                       v4) == "ipv4@10 668d good, udp@66 2c64 good");
        CHECK(found("61", "3000 020000000004020000000003 0800") == behind(16));  // EtherIP
        CHECK(found("8f", "020000000004020000000003 0800") == behind(14));
        CHECK(found("89", "00010140") == behind(4));
        CHECK(found("2f", "0000 0800") == behind(4));
        CHECK(found("2f", "0000 6558 020000000004020000000003 0800") == behind(18));
        CHECK(found("2f", "2000 6558 00002a00 020000000004020000000003 0800") == behind(22));  // NVGRE
        CHECK(found("2f", "4000 0800 00000000 0800 0004 0a000009 00000000") == behind(20));    // source routes
        CHECK(found("2f", "3001 880b 00200001 00000001 ff030021") == behind(16));              // PPTP
        CHECK(found("2f", "3081 880b 001d0001 00000001 00000001 21") == behind(17));
        CHECK(found("2f", "0000 883e") == behind(4));  // WCCP
        CHECK(found("2f", "0000 883e 00000000") == behind(8));
        CHECK(found("2f", "2000 8909 00000028 0800 010100010000") == behind(16));     // MetaData
        CHECK(found("2f", "0000 88be 020000000004020000000003 0800") == behind(18));  // ERSPAN I, II, III
        CHECK(found("2f", "1000 88be 00000001 1000000000000000 020000000004020000000003 0800") == behind(30));
        CHECK(found("2f", "1000 22eb 00000001 200000000000000000000000 020000000004020000000003 0800") ==
              behind(34));
        CHECK(found("2f",
                    "1000 22eb 00000001 200000000000000000000001 0000000000000000"
                    "020000000004020000000003 0800") == behind(42));
        CHECK(found("2f", "1000 22eb 00000001 200000000000000000000800") == behind(20));  // an IP packet
        CHECK(found("2f", "0000 894f 0fc2020100000100") == behind(12));                   // NSH
        CHECK(found("2f", "0000 894f 0fc3020100000100 01020304") == behind(16));
        CHECK(found("2f", "0002 0800").find("66ce") == std::string::npos);  // version 2
    }

    TEST_CASE("what follows MPLS labels may look like IP and be an Ethernet address") {
        const auto found = [](const char *before, const char *packet) {
            return verdicts(hex("00010140") + hex(before) + hex(packet), ONESUM_LINK_MPLS);
        };
        const char *const datagram6 =
            "6000000000091140 20010db8000000000000000000000001"
            "20010db8000000000000000000000002 0001000200092c6478";
        for (const std::string first : {"45", "46", "4c", "40", "60", "6c"}) {
            CAPTURE(first);
            CHECK(found((first + "0102030405 020000000003 0800").c_str(), datagram) ==
                  "ipv4@28 66ce good, udp@44 ebcc good");
            CHECK(found((first + "0102030405 020000000003 8100 0005 0800").c_str(), datagram) ==
                  "ipv4@32 66ce good, udp@48 ebcc good");
            CHECK(found((first + "0102030405 020000000003 86dd").c_str(), datagram6) == "udp@64 2c64 good");
        }
        CHECK(found("", datagram) == "ipv4@14 66ce good, udp@30 ebcc good");
        CHECK(found("", datagram6) == "udp@50 2c64 good");
        // An IP packet whose addresses look like a frame's type and what follows it, and one that is wrong.
        CHECK(found("", "4500001c00010000401123cf080045000a000002 000700080008a8cd") ==
              "ipv4@14 23cf good, udp@30 a8cd good");
        CHECK(found("", "4500001c00010000401166cd0a0000010a000002 000700080008ebcc") ==
              "ipv4@14 66cd bad 66ce, udp@30 ebcc good");
        CHECK(found("",
                    "6000000000091140 20010db8080045000000000000000001"
                    "20010db8000000000000000000000002 000100020009df6378") == "udp@50 df63 good");
    }

    TEST_CASE("a port that only tunnels' destinations have is any other's where it is the source") {
        // A query from each, with bytes that the tunnels' headers could have.
        for (const std::string port : {"12b5", "2118", "12b6", "17c1", "0868", "1292", "19eb"}) {
            CAPTURE(port);
            CHECK(check(hex("45000030000100004011 66ba 0a0000010a000002" + port +
                            "0035001c0000 8000080001000001000000000000 000001000000"),
                        v4)
                      .size() == 2);
        }
        // What these carry comes back from the same port.
        const auto back = [](const char *port, const char *payload) {
            return check(hex("45000030000100004011 66ba 0a0000010a000002") + hex(port) + hex("c000001c0000") +
                             hex(payload),
                         v4)
                .size();
        };
        CHECK(back("06a5", "0002 0001 0002 21 45000014000100004011abcdef") == 3);
        CHECK(back("1194", "0000000700000001 736563726574212121212121") == 3);
        CHECK(back("26ab", "26ab26ab0000000012345678 0000000000000000") == 3);
        // And goes to it.
        const auto there = [](const char *port, const char *payload) {
            return check(hex("45000030000100004011 66ba 0a0000010a000002 c000") + hex(port) + hex("001c0000") +
                             hex(payload),
                         v4)
                .size();
        };
        CHECK(there("06a5", "0002 0001 0002 21 45000014000100004011abcdef") == 3);
        CHECK(there("1194", "0000000700000001 736563726574212121212121") == 3);
        CHECK(there("26ab", "26ab26ab0000000012345678 0000000000000000") == 3);
    }

    TEST_CASE("what is unknown is left alone") {
        CHECK(verdicts(hex("020000000002020000000001 0806") + hex(datagram), ONESUM_LINK_ETHERNET) == "");
        CHECK(verdicts(hex(datagram), 147) == "");
        CHECK(verdicts(hex(datagram), 0x10000 + ONESUM_LINK_ETHERNET) == "");
        CHECK(verdicts({}, ONESUM_LINK_ETHERNET) == "");
        CHECK(onesum_packet_check(nullptr, 0, ONESUM_LINK_ETHERNET, nullptr, nullptr, 0) == 0);
        CHECK(onesum_packet_link_known(ONESUM_LINK_ETHERNET) == 1);
        CHECK(onesum_packet_link_known(ONESUM_LINK_LINUX_COOKED2) == 1);
        CHECK(onesum_packet_link_known(147) == 0);
    }
}

TEST_CASE("fewer results than there are") {
    const Packet packet = hex("4500001c00010000401166ce0a0000010a000002 000700080008ebcc");
    onesum_packet_result results[2] = {};
    CHECK(onesum_packet_check(packet.data(), packet.size(), v4, nullptr, nullptr, 0) == 2);
    CHECK(onesum_packet_check(packet.data(), packet.size(), v4, nullptr, results, 1) == 2);
    CHECK(results[0].protocol == ONESUM_PROTOCOL_IPV4);
    CHECK(results[0].offset == 10);
    CHECK(results[1].offset == 0);
    Packet wrong = packet;
    wrong[27] ^= 1;
    CHECK(onesum_packet_fill(wrong.data(), wrong.size(), v4, nullptr, nullptr, 0) == 2);
    CHECK(wrong == packet);
}

TEST_CASE("the same for C++") {
    Packet packet = hex("4500001c00010000401166ce0a0000010a000002 000700080008ebcd");
    const auto bytes = std::as_writable_bytes(std::span(packet));
    Results results(ONESUM_PACKET_LAYERS);
    results.resize(onesum::check(bytes, v4, results));
    CHECK(text(results) == "ipv4@10 66ce good, udp@26 ebcd bad ebcc");
    const onesum_buffer list[] = {{packet.data(), 13}, {packet.data() + 13, packet.size() - 13}};
    results.resize(onesum::check(list, v4, results));
    CHECK(text(results) == "ipv4@10 66ce good, udp@26 ebcd bad ebcc");
    onesum_packet_options none{};
    none.fill_verdicts = 1u << ONESUM_VERDICT_PARTIAL;
    onesum::fill(bytes, v4, results, none);
    CHECK(packet.back() == 0xcd);
    const onesum_writable pieces[] = {{packet.data(), 27}, {packet.data() + 27, 1}};
    CHECK(onesum::fill(pieces, v4, results) == 2);
    CHECK(packet.back() == 0xcc);
    packet[27] = 0;
    CHECK(onesum::fill(bytes, v4, results) == 2);
    CHECK(packet.back() == 0xcc);
}

TEST_CASE("names") {
    CHECK(std::string(onesum_protocol_name(ONESUM_PROTOCOL_ICMP_EXT)) == "icmp_ext");
    CHECK(std::string(onesum_protocol_name(ONESUM_PROTOCOL_RSVP)) == "rsvp");
    CHECK(std::string(onesum_verdict_name(ONESUM_VERDICT_ILLEGAL_ZERO)) == "illegal_zero");
    CHECK(std::string(onesum_verdict_name(ONESUM_VERDICT_MALFORMED)) == "malformed");
    CHECK(std::string(onesum_reason_name(ONESUM_REASON_NONE)) == "");
    CHECK(std::string(onesum_reason_name(ONESUM_REASON_OPTION)) == "option");
    CHECK(onesum_protocol_name(-1) == nullptr);
    CHECK(onesum_protocol_name(ONESUM_PROTOCOLS) == nullptr);
    CHECK(onesum_verdict_name(ONESUM_VERDICTS) == nullptr);
    CHECK(onesum_reason_name(ONESUM_REASONS) == nullptr);
    for (int i = 0; i < ONESUM_PROTOCOLS; ++i) CHECK(onesum_protocol_named(onesum_protocol_name(i)) == i);
    CHECK(onesum_protocol_named("sctp") == ONESUM_PROTOCOL_SCTP);
    CHECK(onesum_protocol_named("quic") == ONESUM_UNKNOWN);
    CHECK(onesum_protocol_named("") == ONESUM_UNKNOWN);
}
