// A filter expression as tcpdump has it. SPDX-License-Identifier: MIT
#include "cli/filter.h"

#include <pcap/pcap.h>

#include "onesum/packet.h"

namespace onesum::cli {

namespace {

// The numbers in files and those of libpcap's functions are the same but for these.
int dlt(std::uint32_t link) {
    if (link == ONESUM_LINK_RAW) return DLT_RAW;
    if (link == ONESUM_LINK_LLC) return DLT_ATM_RFC1483;
    return static_cast<int>(link);
}

}  // namespace

void Filter::Free::operator()(bpf_program *program) const {
    pcap_freecode(program);
    delete program;
}

Filter::Program Filter::compile(std::uint32_t link) {
    Program program(new bpf_program{});
    pcap_t *const dead = pcap_open_dead(dlt(link), static_cast<int>(capture::longest_packet));
    if (!dead)
        error_ = "out of memory";
    else if (pcap_compile(dead, program.get(), expression_.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0)
        error_ = pcap_geterr(dead);
    if (dead) pcap_close(dead);
    return error_.empty() ? std::move(program) : nullptr;
}

std::optional<bool> Filter::fits(const capture::Packet &packet) {
    auto found = programs_.find(packet.link);
    if (found == programs_.end()) {
        Program program = compile(packet.link);
        if (!program) return std::nullopt;
        found = programs_.emplace(packet.link, std::move(program)).first;
    }
    pcap_pkthdr header{};
    header.caplen = static_cast<bpf_u_int32>(packet.bytes.size());
    header.len = packet.original;
    const auto *const bytes = reinterpret_cast<const u_char *>(packet.bytes.data());
    return pcap_offline_filter(found->second.get(), &header, bytes) != 0;
}

}  // namespace onesum::cli
