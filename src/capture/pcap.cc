// pcap: a file header, then records. SPDX-License-Identifier: MIT
#include <utility>

#include "capture/reader.h"

namespace onesum::capture {

namespace {

constexpr std::size_t file_header = 24;

struct Variant {
    std::uint32_t magic;
    std::uint64_t ticks_per_second;
    std::size_t record_header;
};

constexpr Variant variants[] = {
    {0xa1b2c3d4, 1'000'000, 16},
    {0xa1b23c4d, 1'000'000'000, 16},
    {0xa1b2cd34, 1'000'000, 24},  // Kuznetsov's patch: interface, protocol and packet type follow the lengths
};

}  // namespace

bool Reader::open_pcap(std::uint32_t magic) {
    const Variant *variant = nullptr;
    for (const Variant &one : variants) {
        if (magic != one.magic && __builtin_bswap32(magic) != one.magic) continue;
        variant = &one;
        swapped_ = magic != one.magic;
    }
    if (!variant) return false;

    const std::span<const std::byte> header = input_->ahead(file_header);
    if (header.size() < file_header) return cut_off("the file header", file_header, header.size());
    const unsigned major = load16(&header[4]), minor = load16(&header[6]);
    // 543.0 is what DG/UX wrote.
    if (major != 2 && !(major == 543 && minor == 0))
        return fail(Problem::Kind::malformed, "pcap version " + std::to_string(major) + '.' +
                                                  std::to_string(minor) + " is not known, only 2 is");
    if (major == 543 || minor < 3)
        lengths_ = Lengths::original_first;
    else if (minor == 3)
        lengths_ = Lengths::smaller_is_captured;

    record_header_ = variant->record_header;
    // The upper half of the last field is about frame check sequences.
    interfaces_.push_back({.link = load32(&header[20]) & 0xffff,
                           .snap = load32(&header[16]),
                           .ticks_per_second = variant->ticks_per_second});
    input_->pass(file_header);
    format_ = Format::pcap;
    is_capture_ = true;
    return true;
}

// Not inlined: making the words takes more of the code than reading the record.
void Reader::too_long(std::uint32_t captured) {
    fail(Problem::Kind::malformed,
         "a record cannot hold " + std::to_string(captured) + " bytes (the limit is " +
             std::to_string(longest_packet) + ")",
         true);
}

const Packet *Reader::next_in_pcap() {
    at_ = input_->position();
    std::span<std::byte> record = input_->ahead(record_header_);
    if (record.size() < record_header_) {
        if (!record.empty() || input_->error() != 0)
            cut_off("a record's header", record_header_, record.size(), true);
        return nullptr;
    }
    std::uint32_t captured = load32(&record[8]), original = load32(&record[12]);
    if (lengths_ == Lengths::original_first ||
        (lengths_ == Lengths::smaller_is_captured && captured > original))
        std::swap(captured, original);
    if (captured > longest_packet) {
        too_long(captured);
        return nullptr;
    }
    const std::size_t size = record_header_ + captured;
    record = input_->ahead(size);
    if (record.size() < size) {
        cut_off("the record", size, record.size(), true);
        return nullptr;
    }

    const Interface &interface = interfaces_.front();
    packet_.bytes = record.subspan(record_header_, captured);
    ++packet_.frame;
    packet_.offset = at_ + record_header_;
    packet_.original = original;
    packet_.link = interface.link;
    timed_ = true;
    ticks_ = load32(&record[0]) * interface.ticks_per_second + load32(&record[4]);
    pending_ = size;
    return &packet_;
}

}  // namespace onesum::capture
