// Any bytes as a capture file, for libFuzzer. SPDX-License-Identifier: MIT
//
// Read from memory once through a mapping and once through a pipe's buffer, and repaired: the packets must be
// the same, lie one after the other in the file, and every byte must be handed on.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "capture/reader.h"
#include "onesum/packet.h"

namespace {

using namespace onesum::capture;

void must(bool right) {
    if (!right) std::abort();
}

struct Seen {
    std::uint64_t offset, frame;
    std::uint32_t size, original, link, interface;
    bool operator==(const Seen &) const = default;
};

struct Outcome {
    std::vector<Seen> packets;
    std::string problem;
    bool capture = false;
};

Outcome read(Input &input, const std::uint8_t *data, std::size_t size, bool repairing) {
    Outcome outcome;
    Reader reader(input);
    std::uint64_t end = 0;
    while (const Packet *packet = reader.next()) {
        must(packet->offset >= end && packet->bytes.size() <= size - packet->offset);
        end = packet->offset + packet->bytes.size();
        must(packet->frame == outcome.packets.size() + 1);
        must(packet->bytes.empty() ||
             std::memcmp(packet->bytes.data(), data + packet->offset, packet->bytes.size()) == 0);
        outcome.packets.push_back({packet->offset, packet->frame,
                                   static_cast<std::uint32_t>(packet->bytes.size()), packet->original,
                                   packet->link, packet->interface});
        if (repairing)
            onesum_packet_fill(packet->bytes.data(), packet->bytes.size(), packet->link, nullptr, nullptr, 0);
    }
    must(reader.frames() == outcome.packets.size());
    if (reader.problem()) outcome.problem = reader.problem()->text();
    must(reader.problem() ? !outcome.problem.empty() : reader.is_capture());
    outcome.capture = reader.is_capture();
    return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const int file = memfd_create("capture", 0);
    must(file >= 0 && ftruncate(file, 0) == 0);
    must(pwrite(file, data, size, 0) == static_cast<ssize_t>(size));

    must(lseek(file, 0, SEEK_SET) == 0);
    Outcome mapped, repaired;
    {
        Input input(file);
        mapped = read(input, data, size, false);
        must(input.position() <= size && input.error() == 0);
    }
    must(lseek(file, 0, SEEK_SET) == 0);
    std::vector<std::byte> copy;
    {
        Input input(file, [&copy](std::span<const std::byte> bytes) {
            copy.insert(copy.end(), bytes.begin(), bytes.end());
        });
        repaired = read(input, data, size, true);
        input.pass_all();
    }
    must(mapped.packets == repaired.packets && mapped.problem == repaired.problem &&
         mapped.capture == repaired.capture);
    // Nothing but the packets has changed.
    must(copy.size() == size);
    std::size_t at = 0;
    for (const Seen &packet : mapped.packets) {
        must(std::memcmp(copy.data() + at, data + at, packet.offset - at) == 0);
        at = packet.offset + packet.size;
    }
    must(size == at || std::memcmp(copy.data() + at, data + at, size - at) == 0);
    return 0;
}
