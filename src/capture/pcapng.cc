// pcapng: sections of blocks. SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "capture/reader.h"

namespace onesum::capture {

namespace {

enum Block : std::uint32_t {
    section_header = pcapng_magic,
    interface_description = 1,
    old_packet = 2,
    simple_packet = 3,
    enhanced_packet = 6,
};

constexpr std::uint32_t byte_order_magic = 0x1a2b3c4d;

// A block is its type, its length, its body, and its length once more.
constexpr std::uint32_t head = 8, tail = 4;

// What is read whole: a packet, and as much again for its options.
constexpr std::uint32_t longest_block = 2 * longest_packet;

// Section after section, no program describes more; the bound keeps the memory in use small.
constexpr std::size_t most_interfaces = 65536;

// The shortest block of a type that holds all its fixed fields.
std::uint32_t shortest(std::uint32_t type) {
    switch (type) {
        case section_header:
            return 28;
        case interface_description:
            return 20;
        case simple_packet:
            return 16;
        case old_packet:
        case enhanced_packet:
            return 32;
        default:
            return head + tail;
    }
}

bool holds_packet(std::uint32_t type) {
    return type == enhanced_packet || type == simple_packet || type == old_packet;
}

std::string name(std::uint32_t type) {
    switch (type) {
        case section_header:
            return "a section header block";
        case interface_description:
            return "an interface description block";
        case simple_packet:
            return "a simple packet block";
        case old_packet:
            return "a packet block";
        case enhanced_packet:
            return "an enhanced packet block";
        default:
            char text[48];
            std::snprintf(text, sizeof text, "a block of type 0x%08x", type);
            return text;
    }
}

// if_tsresol: a power of 10 or, with the top bit set, of 2. 0 for one that 64 bits cannot count.
std::uint64_t resolution(unsigned value) {
    const unsigned exponent = value & 0x7f;
    if (value & 0x80) return exponent < 64 ? std::uint64_t{1} << exponent : 0;
    if (exponent > 19) return 0;
    std::uint64_t ticks = 1;
    for (unsigned i = 0; i < exponent; ++i) ticks *= 10;
    return ticks;
}

}  // namespace

const Packet *Reader::next_in_pcapng() {
    for (;;) {
        at_ = input_->position();
        const std::span<const std::byte> start = input_->ahead(head + tail);
        if (start.size() < head + tail) {
            if (!start.empty() || input_->error() != 0) cut_off("a block", head + tail, start.size());
            return nullptr;
        }
        std::uint32_t type;
        std::memcpy(&type, start.data(), 4);
        if (type == section_header) {
            // Before its length can be read: the order of bytes, which may change from section to section.
            std::uint32_t order;
            std::memcpy(&order, &start[8], 4);
            swapped_ = order != byte_order_magic;
            if (swapped_ && __builtin_bswap32(order) != byte_order_magic) {
                fail(Problem::Kind::malformed, "a section header block without the byte-order magic");
                return nullptr;
            }
        } else if (swapped_) {
            type = __builtin_bswap32(type);
        }
        const std::uint32_t length = load32(&start[4]);
        if (length < shortest(type) || length % 4 != 0) {
            fail(Problem::Kind::malformed, name(type) + " cannot have " + std::to_string(length) + " bytes",
                 holds_packet(type));
            return nullptr;
        }
        if (holds_packet(type)) return read_packet(type, length) ? &packet_ : nullptr;
        if (type == section_header && !read_section(length)) return nullptr;
        if (type == interface_description && !read_interface(length)) return nullptr;
        if (!pass_block(length)) return nullptr;
        if (type == section_header) is_capture_ = true;
    }
}

// Any block but a packet's, of any length.
bool Reader::pass_block(std::uint32_t length) {
    const std::uint64_t passed = input_->pass(length - tail);
    const std::span<const std::byte> end = input_->ahead(tail);
    if (passed < length - tail || end.size() < tail) return cut_off("the block", length, passed + end.size());
    if (load32(end.data()) != length) return lengths_differ(length, load32(end.data()));
    input_->pass(tail);
    return true;
}

bool Reader::lengths_differ(std::uint32_t first, std::uint32_t last, bool in_frame) {
    return fail(Problem::Kind::malformed,
                "the block begins with a length of " + std::to_string(first) + " and ends with one of " +
                    std::to_string(last),
                in_frame);
}

bool Reader::read_section(std::uint32_t length) {
    const std::span<const std::byte> block = input_->ahead(16);
    if (block.size() < 16) return cut_off("the block", length, block.size());
    const unsigned major = load16(&block[12]), minor = load16(&block[14]);
    if (major != 1)
        return fail(Problem::Kind::malformed, "pcapng version " + std::to_string(major) + '.' +
                                                  std::to_string(minor) + " is not known, only 1 is");
    interfaces_.clear();
    return true;
}

// A whole block, of at most longest_block bytes. Empty, with a problem noted, where that is not so.
std::span<std::byte> Reader::read_block(std::uint32_t type, std::uint32_t length) {
    const bool in_frame = holds_packet(type);
    if (length > longest_block) {
        fail(Problem::Kind::malformed,
             name(type) + " cannot have " + std::to_string(length) + " bytes (the limit is " +
                 std::to_string(longest_block) + ")",
             in_frame);
        return {};
    }
    const std::span<std::byte> block = input_->ahead(length);
    if (block.size() < length) {
        cut_off("the block", length, block.size(), in_frame);
        return {};
    }
    if (const std::uint32_t last = load32(&block[length - tail]); last != length) {
        lengths_differ(length, last, in_frame);
        return {};
    }
    return block.first(length);
}

bool Reader::read_interface(std::uint32_t length) {
    if (interfaces_.size() == most_interfaces)
        return fail(Problem::Kind::malformed,
                    "more than " + std::to_string(most_interfaces) + " interfaces in one section");
    const std::span<const std::byte> block = read_block(interface_description, length);
    if (block.empty()) return false;
    Interface interface { .link = load16(&block[8]), .snap = load32(&block[12]) };

    // Options, each a code, a length, and a value padded to 4 bytes, as the block is. A list that overruns its
    // block ends there.
    std::span<const std::byte> options = block.subspan(16, length - 16 - tail);
    while (!options.empty()) {
        const unsigned code = load16(&options[0]), size = load16(&options[2]);
        options = options.subspan(4);
        if (code == 0 || size > options.size()) break;
        if (code == 9 && size == 1)
            interface.ticks_per_second = resolution(std::to_integer<unsigned>(options[0]));
        if (code == 14 && size == 8) {
            const std::uint64_t first = load32(&options[0]), second = load32(&options[4]);
            const bool little = (std::endian::native == std::endian::little) != swapped_;
            interface.epoch = static_cast<std::int64_t>(little ? second << 32 | first : first << 32 | second);
        }
        options = options.subspan(std::min<std::size_t>((size + 3) / 4 * 4, options.size()));
    }
    interfaces_.push_back(interface);
    return true;
}

bool Reader::read_packet(std::uint32_t type, std::uint32_t length) {
    const std::span<std::byte> block = read_block(type, length);
    if (block.empty()) return false;

    const bool simple = type == simple_packet;
    const std::uint32_t fixed = simple ? 12 : 28;
    const std::uint32_t number = simple ? 0 : type == old_packet ? load16(&block[8]) : load32(&block[8]);
    if (number >= interfaces_.size())
        return fail(Problem::Kind::malformed,
                    "interface " + std::to_string(number) + " is not described in this section", true);
    const Interface &interface = interfaces_[number];

    // A simple block does not say how much was captured: all of the packet that the limit and the block allow.
    const std::uint32_t room = length - fixed - tail;
    const std::uint32_t original = load32(&block[simple ? 8 : 24]);
    std::uint32_t captured = simple ? std::min(original, room) : load32(&block[20]);
    if (simple && interface.snap != 0) captured = std::min(captured, interface.snap);
    if (captured > room || captured > longest_packet)
        return fail(
            Problem::Kind::malformed,
            std::to_string(captured) + " captured bytes do not fit the block of " + std::to_string(length),
            true);

    packet_.bytes = block.subspan(fixed, captured);
    ++packet_.frame;
    packet_.offset = at_ + fixed;
    packet_.original = original;
    packet_.interface = number;
    packet_.link = interface.link;
    timed_ = !simple && interface.ticks_per_second != 0;
    if (timed_) ticks_ = std::uint64_t{load32(&block[12])} << 32 | load32(&block[16]);
    pending_ = length;
    return true;
}

}  // namespace onesum::capture
