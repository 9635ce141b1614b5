// The packets of a pcap or pcapng capture, and where in the file they lie. SPDX-License-Identifier: MIT
//
// pcap as libpcap writes it (draft-ietf-opsawg-pcap), also with the record headers of Kuznetsov's patch and the
// swapped lengths of the first versions; pcapng (draft-ietf-opsawg-pcapng) with enhanced, simple and obsolete
// packet blocks. Both byte orders, any resolution of time, any number of sections, interfaces and link types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/input.h"

namespace onesum::capture {

// What a packet was captured from: an interface of a pcapng section, or the whole of a pcap file.
struct Interface {
    std::uint32_t link = 0;  // the LINKTYPE_ number
    std::uint32_t snap = 0;  // no packet is captured beyond so many bytes; 0 for no limit
    // Time is counted in units of 1/ticks_per_second, from `epoch` seconds after 1970. 0: in none that we know.
    std::uint64_t ticks_per_second = 1'000'000;
    std::int64_t epoch = 0;
};

struct Packet {
    // What was captured; valid until the next call of next(), or as long as the input's memory() is held;
    // changed only where the input has a sink.
    std::span<std::byte> bytes;
    std::uint64_t frame = 0;      // counted from 1 through the whole file
    std::uint64_t offset = 0;     // of the first of `bytes` in the file
    std::uint32_t original = 0;   // the packet's length on the wire
    std::uint32_t interface = 0;  // its number within the section
    std::uint32_t link = 0;       // the LINKTYPE_ number
};

// Why nothing more can be read.
struct Problem {
    enum class Kind {
        foreign,    // the file is empty or no capture at all
        truncated,  // it ends in the middle of something
        malformed,  // what stands there cannot be
        unreadable  // the system refused; `error` says why
    };
    Kind kind;
    std::string what;          // in words
    std::uint64_t offset = 0;  // of the record or block, in the file
    std::uint64_t frame = 0;   // the frame that could not be read; 0 if it is none

    // All of it in one line, such as "frame 7 at offset 1260: ...".
    std::string text() const;
};

// What a pcapng file begins with, the same in both byte orders.
inline constexpr std::uint32_t pcapng_magic = 0x0a0d0d0a;

// No packet is longer: 64 times what libpcap captures at most. Whatever claims to be is damage, and the bound
// keeps the memory in use small.
inline constexpr std::uint32_t longest_packet = 16 << 20;

class Reader {
  public:
    // Begins at the input's position, which must be its start.
    explicit Reader(Input &input) : input_(&input) {}

    // The next packet, or nullptr at the end and where there is a problem().
    const Packet *next() {
        input_->pass(pending_);
        pending_ = 0;
        return format_ == Format::pcap && !problem_ ? next_in_pcap() : next_otherwise();
    }

    // When that packet was captured, in nanoseconds since 1970. Nothing where that is not said, as in a simple
    // packet block.
    std::optional<std::uint64_t> time() const;

    // Where the record or block begins that next() will read.
    std::uint64_t position() const { return input_->position() + pending_; }

    // What it reads from.
    const Input &input() const { return *input_; }

    // Reads on in another input of the same file, which is at the position that this one was at.
    void go_on_in(Input &input) {
        input_ = &input;
        pending_ = 0;
    }

    // Set once next() has returned nullptr before the end of the file. What came before still holds.
    const std::optional<Problem> &problem() const { return problem_; }

    // How many packets there were so far.
    std::uint64_t frames() const { return packet_.frame; }

    // Whether the file began as a capture does, with a whole header.
    bool is_capture() const { return is_capture_; }

  private:
    enum class Format { unknown, pcap, pcapng };
    // Which length of a pcap record comes first (the first versions of the format changed their mind).
    enum class Lengths { captured_first, original_first, smaller_is_captured };

    bool open();
    const Packet *next_otherwise();

    // pcap.cc
    bool open_pcap(std::uint32_t magic);
    const Packet *next_in_pcap();
    [[gnu::cold]] void too_long(std::uint32_t captured);

    // pcapng.cc
    const Packet *next_in_pcapng();
    std::span<std::byte> read_block(std::uint32_t type, std::uint32_t length);
    bool read_section(std::uint32_t length);
    bool read_interface(std::uint32_t length);
    bool read_packet(std::uint32_t type, std::uint32_t length);
    bool pass_block(std::uint32_t length);
    bool lengths_differ(std::uint32_t first, std::uint32_t last, bool in_frame = false);

    std::uint16_t load16(const std::byte *at) const {
        std::uint16_t value;
        std::memcpy(&value, at, 2);
        return swapped_ ? __builtin_bswap16(value) : value;
    }
    std::uint32_t load32(const std::byte *at) const {
        std::uint32_t value;
        std::memcpy(&value, at, 4);
        return swapped_ ? __builtin_bswap32(value) : value;
    }

    // Each notes a problem with the record or block that is being read, and returns false.
    bool fail(Problem::Kind kind, std::string what, bool in_frame = false);
    // Of `size` bytes that `name` has only `there` are in the file, or it could not be read.
    bool cut_off(const char *name, std::uint64_t size, std::uint64_t there, bool in_frame = false);

    Input *input_;
    Format format_ = Format::unknown;
    bool is_capture_ = false;  // its header, or that of its first section, was read whole
    bool swapped_ = false;     // the file's, or the section's, byte order is not the machine's
    Packet packet_;
    bool timed_ = false;       // packet_ carries a time,
    std::uint64_t ticks_ = 0;  // which is this in its interface's units
    std::optional<Problem> problem_;

    // pcap: the one interface, and the shape of a record.
    // pcapng: the interfaces of the section.
    std::vector<Interface> interfaces_;
    std::size_t record_header_ = 16;
    Lengths lengths_ = Lengths::captured_first;

    std::uint64_t at_ = 0;       // where the record or block begins that is being read
    std::uint64_t pending_ = 0;  // bytes of the last record that next() has yet to pass
};

// The time that `ticks` of that interface stand for, in nanoseconds since 1970.
std::uint64_t nanoseconds(const Interface &interface, std::uint64_t ticks);

}  // namespace onesum::capture
