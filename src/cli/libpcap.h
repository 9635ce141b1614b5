// libpcap, for filter expressions and live capture only. SPDX-License-Identifier: MIT
#pragma once

#include <pcap/pcap.h>

#include <string>

namespace onesum::cli {

// The functions that are used, without the prefix pcap_.
#define ONESUM_LIBPCAP(each)                                                                              \
    each(activate) each(close) each(compile) each(create) each(datalink) each(dispatch) each(findalldevs) \
        each(freealldevs) each(freecode) each(get_selectable_fd) each(geterr) each(offline_filter)        \
            each(open_dead) each(set_promisc) each(set_snaplen) each(set_buffer_size) each(set_timeout)   \
                each(setfilter) each(setnonblock) each(stats) each(statustostr)

// Loaded when it is first needed: linked, it and the libraries that it brings along would more than double the
// time that the program takes to start.
struct Libpcap {
#define ONESUM_POINTER(name) decltype(&pcap_##name) name;
    ONESUM_LIBPCAP(ONESUM_POINTER)
#undef ONESUM_POINTER
};

// nullptr, with a message in `error`, where it is not installed.
const Libpcap *libpcap(std::string &error);

}  // namespace onesum::cli
