// What both formats share: opening, byte order, time, problems. SPDX-License-Identifier: MIT
#include "capture/reader.h"

#include <cstdio>
#include <cstring>

namespace onesum::capture {

namespace {

struct Compression {
    std::string_view magic, command;
};

constexpr Compression compressions[] = {
    {"\x1f\x8b", "gzip -dc"}, {"\x28\xb5\x2f\xfd", "zstd -dc"}, {"\xfd\x37zXZ", "xz -dc"},
    {"BZh", "bzip2 -dc"},     {"\x04\x22\x4d\x18", "lz4 -dc"},
};

// Why a file that begins so is no capture.
std::string foreign(std::span<const std::byte> start) {
    if (start.empty()) return "the file is empty";
    const std::string_view text(reinterpret_cast<const char *>(start.data()), start.size());
    for (const Compression &compression : compressions)
        if (text.starts_with(compression.magic))
            return "compressed: unpack it first, as in `" + std::string(compression.command) +
                   " FILE | onesum check -`";
    std::string what = "neither pcap nor pcapng: it begins with";
    for (const char c : text.substr(0, 4)) {
        char digits[8];
        std::snprintf(digits, sizeof digits, " %02x", static_cast<unsigned char>(c));
        what += digits;
    }
    return what;
}

}  // namespace

std::uint64_t nanoseconds(const Interface &interface, std::uint64_t ticks) {
    constexpr std::uint64_t second = 1'000'000'000;
    const std::uint64_t base = static_cast<std::uint64_t>(interface.epoch) * second;
    // The two usual resolutions without a division.
    if (interface.ticks_per_second == 1'000'000) return base + ticks * 1000;
    if (interface.ticks_per_second == second) return base + ticks;
    const std::uint64_t whole = ticks / interface.ticks_per_second, part = ticks % interface.ticks_per_second;
    const double share = static_cast<double>(part) / static_cast<double>(interface.ticks_per_second);
    return base + whole * second + static_cast<std::uint64_t>(share * second + 0.5);
}

std::string Problem::text() const {
    if (kind == Kind::foreign) return what;
    std::string where = "offset " + std::to_string(offset);
    if (frame != 0) where = "frame " + std::to_string(frame) + " at " + where;
    return where + ": " + what;
}

std::optional<std::uint64_t> Reader::time() const {
    if (!timed_ || packet_.interface >= interfaces_.size()) return std::nullopt;
    return nanoseconds(interfaces_[packet_.interface], ticks_);
}

const Packet *Reader::next_otherwise() {
    if (problem_ || (format_ == Format::unknown && !open())) return nullptr;
    return format_ == Format::pcap ? next_in_pcap() : next_in_pcapng();
}

bool Reader::open() {
    const std::span<const std::byte> start = input_->ahead(4);
    if (input_->error() != 0) return cut_off("the file", 4, start.size());
    if (start.size() >= 4) {
        std::uint32_t magic;
        std::memcpy(&magic, start.data(), 4);
        if (magic == pcapng_magic) {
            format_ = Format::pcapng;
            return true;
        }
        if (open_pcap(magic)) return true;
        if (problem_) return false;
    }
    return fail(Problem::Kind::foreign, foreign(input_->ahead(8)));
}

bool Reader::fail(Problem::Kind kind, std::string what, bool in_frame) {
    problem_ = {kind, std::move(what), at_, in_frame ? packet_.frame + 1 : 0};
    return false;
}

bool Reader::cut_off(const char *name, std::uint64_t size, std::uint64_t there, bool in_frame) {
    if (const int error = input_->error(); error != 0)
        return fail(Problem::Kind::unreadable, std::strerror(error), in_frame);
    return fail(Problem::Kind::truncated,
                "the file is cut off: " + std::string(name) + " has " + std::to_string(size) + " bytes, " +
                    std::to_string(there) + (there == 1 ? " is" : " are") + " there",
                in_frame);
}

}  // namespace onesum::capture
