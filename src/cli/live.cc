// onesum check --live: what comes along on an interface. SPDX-License-Identifier: MIT
#include "cli/live.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "cli/file.h"
#include "cli/libpcap.h"
#include "cli/listing.h"
#include "onesum/packet.h"

namespace onesum::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int longest_packet = 262144;  // as tcpdump has it
constexpr int kernel_buffer = 8 << 20;  // what may wait while the program does something else
constexpr int wake_milliseconds = 100;  // how long the kernel may gather packets

volatile std::sig_atomic_t stopped = 0;

// Ctrl-C and its like end the capture between two packets. They are let through only while nothing is done, so
// that none is missed and none interrupts.
class Signals {
  public:
    Signals() {
        sigset_t ours;
        sigemptyset(&ours);
        struct sigaction action {};
        action.sa_handler = [](int) { stopped = 1; };
        for (const int one : {SIGINT, SIGTERM, SIGHUP}) {
            struct sigaction before;
            // What is ignored, as under nohup, stays so.
            if (sigaction(one, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
            sigaction(one, &action, nullptr);
            sigaddset(&ours, one);
        }
        sigprocmask(SIG_BLOCK, &ours, &before_);
    }

    // Waits until there is something to read, a signal, or the time is over. False if that failed.
    bool wait(int descriptor, std::chrono::nanoseconds time) const {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
        const timespec limit{static_cast<time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
        pollfd one{descriptor, POLLIN, 0};
        return ppoll(&one, 1, &limit, &before_) >= 0 || errno == EINTR;
    }

  private:
    sigset_t before_;
};

class Live {
  public:
    Live(const CheckOptions &options, const Libpcap &libpcap)
        : options_(options), libpcap_(libpcap), listing_(options, options.live) {}
    ~Live() {
        if (handle_) libpcap_.close(handle_);
    }
    Live(const Live &) = delete;
    Live &operator=(const Live &) = delete;

    int run() {
        if (!open()) return trouble;
        const Signals signals;
        const Clock::time_point start = Clock::now();
        unsigned seconds = 0;
        while (stopped == 0 && problem_.empty()) {
            const auto next = start + std::chrono::seconds(seconds + 1);
            const auto now = Clock::now();
            if (now >= next) {
                ++seconds;
                show(seconds);
                continue;
            }
            if (!signals.wait(libpcap_.get_selectable_fd(handle_), next - now)) problem_ = std::strerror(errno);
            take();
        }
        return end();
    }

  private:
    // False, with a complaint, if that cannot be.
    bool open() {
        char why[PCAP_ERRBUF_SIZE] = "";
        handle_ = libpcap_.create(options_.live.c_str(), why);
        if (!handle_) return fail(why);
        libpcap_.set_snaplen(handle_, longest_packet);
        libpcap_.set_promisc(handle_, 1);
        libpcap_.set_buffer_size(handle_, kernel_buffer);
        libpcap_.set_timeout(handle_, wake_milliseconds);
        const int status = libpcap_.activate(handle_);
        if (status == PCAP_ERROR_PERM_DENIED || status == PCAP_ERROR_PROMISC_PERM_DENIED)
            return fail("to capture needs root or the capability CAP_NET_RAW, as from `setcap cap_net_raw+ep " +
                        self() + '`');
        if (status == PCAP_ERROR_NO_SUCH_DEVICE)
            return fail("there is no such interface; there are: " + interfaces());
        if (status == PCAP_ERROR_IFACE_NOT_UP) return fail("the interface is down");
        if (status < 0) return fail(reason(status));
        link_ = static_cast<std::uint32_t>(libpcap_.datalink(handle_));
        if (link_ == DLT_ATM_RFC1483) link_ = ONESUM_LINK_LLC;
        if (!onesum_packet_link_known(link_))
            return fail("link type " + std::to_string(link_) + " is not known");
        if (libpcap_.setnonblock(handle_, 1, why) < 0) return fail(why);
        return options_.filter.empty() || set_filter();
    }

    bool set_filter() {
        bpf_program program{};
        if (libpcap_.compile(handle_, &program, options_.filter.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0)
            return fail("-F: " + std::string(libpcap_.geterr(handle_)));
        const int status = libpcap_.setfilter(handle_, &program);
        libpcap_.freecode(&program);
        return status == 0 || fail("-F: " + std::string(libpcap_.geterr(handle_)));
    }

    bool fail(const std::string &why) const {
        complain(options_.live + ": " + why);
        return false;
    }

    std::string reason(int status) const {
        const std::string detail = libpcap_.geterr(handle_);
        return detail.empty() ? libpcap_.statustostr(status) : detail;
    }

    static std::string self() {
        char name[4096];
        const ssize_t size = readlink("/proc/self/exe", name, sizeof name);
        return size > 0 ? std::string(name, static_cast<std::size_t>(size)) : "onesum";
    }

    std::string interfaces() const {
        char why[PCAP_ERRBUF_SIZE];
        pcap_if_t *all = nullptr;
        if (libpcap_.findalldevs(&all, why) != 0) return why;
        std::string names;
        for (const pcap_if_t *one = all; one; one = one->next) {
            if (!names.empty()) names += ", ";
            names += one->name;
        }
        libpcap_.freealldevs(all);
        return names.empty() ? "none" : names;
    }

    // All packets that are there.
    void take() {
        const auto judge = [](u_char *self, const pcap_pkthdr *header, const u_char *bytes) {
            reinterpret_cast<Live *>(self)->judge(*header, bytes);
        };
        if (libpcap_.dispatch(handle_, -1, judge, reinterpret_cast<u_char *>(this)) == PCAP_ERROR)
            problem_ = reason(PCAP_ERROR);
        if (outcome_.text.empty()) return;
        clear();
        print(outcome_.text);
        listed_ += outcome_.ends.size();
        outcome_.text.clear();
        outcome_.ends.clear();
    }

    void judge(const pcap_pkthdr &header, const u_char *bytes) {
        capture::Packet packet;
        // They are only read.
        auto *const first = reinterpret_cast<std::byte *>(const_cast<u_char *>(bytes));
        packet.bytes = {first, header.caplen};
        packet.frame = ++frames_;
        packet.original = header.len;
        packet.link = link_;
        listing_.judge(packet, outcome_, options_.first - listed_);
    }

    // The counts so far: for who looks on in a line that is overwritten, else in a line of its own.
    void show(unsigned seconds) {
        const Tally &tally = outcome_.tally;
        if (options_.json) {
            print(listing_.summary(tally, "", ",\"seconds\":" + std::to_string(seconds)));
        } else if (!options_.quiet) {
            std::string text =
                options_.live + ": " + std::to_string(seconds) + " s: " + counted(tally.frames, "frame");
            for (int verdict = 0; verdict < ONESUM_VERDICTS; ++verdict)
                if (const std::uint64_t count = tally.of(verdict); count != 0 || verdict <= ONESUM_VERDICT_BAD)
                    text += ", " + listing_.colours().verdict(
                                       count == 0 ? ONESUM_VERDICT_GOOD : verdict,
                                       std::to_string(count) + ' ' + onesum_verdict_name(verdict));
            shown_ = isatty(STDOUT_FILENO);
            print(shown_ ? "\r\033[K" + text : text + '\n');
        }
    }

    void clear() {
        if (shown_) print("\r\033[K");
        shown_ = false;
    }

    static void print(const std::string &text) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }

    int end() {
        take();  // what came before the signal
        clear();
        pcap_stat counts{};
        const bool known = libpcap_.stats(handle_, &counts) == 0;
        const unsigned dropped = known ? counts.ps_drop + counts.ps_ifdrop : 0;
        print(listing_.summary(outcome_.tally, problem_, ",\"dropped\":" + std::to_string(dropped)));
        if (dropped != 0)
            complain(options_.live + ": " + std::to_string(dropped) +
                     " more packets came too fast and were not seen");
        if (!problem_.empty()) complain(options_.live + ": " + problem_);
        if (!problem_.empty()) return trouble;
        return outcome_.tally.bad() ? bad : good;
    }

    const CheckOptions &options_;
    const Libpcap &libpcap_;
    const Listing listing_;
    pcap_t *handle_ = nullptr;
    std::uint32_t link_ = 0;
    std::uint64_t frames_ = 0;
    std::uint64_t listed_ = 0;  // lines that are printed
    Outcome outcome_;
    bool shown_ = false;   // the line that is overwritten
    std::string problem_;  // why it ended
};

}  // namespace

int check_live(const CheckOptions &options) {
    std::string error;
    const Libpcap *const loaded = libpcap(error);
    if (!loaded) {
        complain("--live " + error);
        return trouble;
    }
    return Live(options, *loaded).run();
}

}  // namespace onesum::cli
