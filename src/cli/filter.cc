// A filter expression as tcpdump has it. SPDX-License-Identifier: MIT
#include "cli/filter.h"

#include "cli/libpcap.h"
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
    libpcap->freecode(program);
    delete program;
}

// nullptr, with an error(), where it cannot be.
Filter::Program Filter::compile(std::uint32_t link) {
    if (!libpcap_ && !(libpcap_ = libpcap(error_))) {
        error_ = "-F " + error_;
        return {};
    }
    Program program(new bpf_program{}, {libpcap_});
    pcap_t *const dead = libpcap_->open_dead(dlt(link), static_cast<int>(capture::longest_packet));
    std::string why;
    if (!dead)
        why = "out of memory";
    else if (libpcap_->compile(dead, program.get(), expression_.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0)
        why = libpcap_->geterr(dead);
    if (dead) libpcap_->close(dead);
    if (why.empty()) return program;
    error_ = "-F, for link type " + std::to_string(link) + ": " + why;
    return {};
}

std::optional<bool> Filter::run(const capture::Packet &packet) {
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
    return libpcap_->offline_filter(found->second.get(), &header, bytes) != 0;
}

}  // namespace onesum::cli
