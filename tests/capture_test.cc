// The reader of captures: every format, everything that can be wrong, and where. SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "capture/reader.h"

using namespace onesum::capture;

// ---- The reader's system calls: counted, and failing where a test says so ----

namespace {

struct Calls {
    int maps = 0, mapped = 0, most_mapped = 0;  // mappings of files: tried, there now, there at one time
    int maps_left = 1 << 20;                    // that succeed before one fails; only the next does
    int reads = 0;
    std::size_t bytes_left = SIZE_MAX;  // that can be read before reads fail
    bool interrupts = false;            // every other read
};
Calls calls;

template <typename Function>
Function *real(const char *name, Function *) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

// What `get(size)` reads, of as many bytes as may be read; -1 where that fails.
template <typename Get>
ssize_t counted(std::size_t size, Get get) {
    errno = EINTR;
    if (++calls.reads % 2 != 0 && calls.interrupts) return -1;
    errno = EIO;
    if (calls.bytes_left == 0) return -1;
    errno = EINTR;  // means nothing where a read does not fail
    const ssize_t got = get(std::min(size, calls.bytes_left));
    if (got > 0) calls.bytes_left -= static_cast<std::size_t>(got);
    return got;
}

// Its name in the C library where `off_t` has 64 bits.
std::string with_offset(const char *name) {
    return name + std::string(sizeof(off_t) > sizeof(long) ? "64" : "");
}

}  // namespace

// Linked instead of those of the C library.
void *mmap(void *where, size_t size, int protection, int flags, int descriptor,
           off_t offset) noexcept(noexcept(mmap(where, size, protection, flags, descriptor, offset))) {
    if (descriptor >= 0 && (++calls.maps, calls.maps_left-- == 0)) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    void *const mapped =
        real(with_offset("mmap").c_str(), mmap)(where, size, protection, flags, descriptor, offset);
    if (descriptor >= 0 && mapped != MAP_FAILED)
        calls.most_mapped = std::max(calls.most_mapped, ++calls.mapped);
    return mapped;
}

int munmap(void *where, size_t size) noexcept(noexcept(munmap(where, size))) {
    --calls.mapped;
    return real("munmap", munmap)(where, size);
}

ssize_t pread(int descriptor, void *to, size_t size, off_t offset) {
    return counted(size, [=](std::size_t may) {
        return real(with_offset("pread").c_str(), pread)(descriptor, to, may, offset);
    });
}

ssize_t read(int descriptor, void *to, size_t size) {
    return counted(size, [=](std::size_t may) { return real("read", read)(descriptor, to, may); });
}

namespace {

using Bytes = std::vector<unsigned char>;
using Kind = Problem::Kind;

// "d4c3 b2a1 ..." as bytes.
Bytes bytes(const std::string &hex) {
    Bytes all;
    std::string pair;
    for (const char c : hex) {
        if (c == ' ') continue;
        pair += c;
        if (pair.size() < 2) continue;
        all.push_back(static_cast<unsigned char>(std::stoul(pair, nullptr, 16)));
        pair.clear();
    }
    return all;
}

Bytes operator+(Bytes a, const Bytes &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// How a capture comes in: as a file, and through a pipe at once or in pieces of 7 bytes.
enum class Way { file, pipe, drops };
constexpr Way ways[] = {Way::file, Way::pipe, Way::drops};

class Source {
  public:
    Source(const Bytes &data, Way way) {
        if (way == Way::file) {
            descriptor_ = memfd_create("capture", 0);
            REQUIRE(descriptor_ >= 0);
            REQUIRE(write(descriptor_, data.data(), data.size()) == static_cast<ssize_t>(data.size()));
            REQUIRE(lseek(descriptor_, 0, SEEK_SET) == 0);
            return;
        }
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        descriptor_ = ends[0];
        writer_ = std::thread([out = ends[1], &data, step = way == Way::pipe ? data.size() : 7] {
            for (std::size_t at = 0; at < data.size();) {
                const ssize_t sent = write(out, data.data() + at, std::min(step, data.size() - at));
                if (sent < 0) break;
                at += static_cast<std::size_t>(sent);
            }
            close(out);
        });
    }
    ~Source() {
        // The writer may still have something: nobody is left to read it.
        Bytes rest(65536);
        while (writer_.joinable() && ::read(descriptor_, rest.data(), rest.size()) > 0) continue;
        if (writer_.joinable()) writer_.join();
        close(descriptor_);
    }
    int descriptor() const { return descriptor_; }

  private:
    int descriptor_ = -1;
    std::thread writer_;
};

struct Copy {
    Bytes bytes;
    Packet packet;
    std::optional<std::uint64_t> time;
};

struct Result {
    std::vector<Copy> packets;
    std::optional<Problem> problem;
    bool is_capture = false;
    std::uint64_t frames = 0;
};

Result read(const Bytes &data, Way way) {
    Source source(data, way);
    Input input(source.descriptor());
    Reader reader(input);
    Result result;
    CHECK_FALSE(reader.time());
    while (const Packet *packet = reader.next()) {
        Copy copy{{}, *packet, reader.time()};
        for (const std::byte byte : packet->bytes) copy.bytes.push_back(std::to_integer<unsigned char>(byte));
        result.packets.push_back(copy);
    }
    CHECK(reader.next() == nullptr);
    result.problem = reader.problem();
    result.is_capture = reader.is_capture();
    result.frames = reader.frames();
    if (result.packets.empty()) CHECK_FALSE(reader.time());
    if (!result.problem) CHECK(reader.position() == data.size());
    return result;
}

void expect(const Copy &found, std::uint64_t frame, std::uint64_t offset, const Bytes &data,
            std::uint32_t original, std::uint32_t interface, std::uint32_t link, std::uint64_t nanoseconds) {
    CHECK(found.packet.frame == frame);
    CHECK(found.packet.offset == offset);
    CHECK(found.bytes == data);
    CHECK(found.packet.original == original);
    CHECK(found.packet.interface == interface);
    CHECK(found.packet.link == link);
    CHECK(found.time.has_value() == (nanoseconds != 0));
    CHECK(found.time.value_or(0) == nanoseconds);
}

void expect_problem(const Bytes &data, Kind kind, std::uint64_t frame, std::uint64_t offset,
                    const std::string &text) {
    for (const Way way : ways) {
        const Result result = read(data, way);
        REQUIRE(result.problem);
        CHECK(result.problem->kind == kind);
        CHECK(result.problem->frame == frame);
        CHECK(result.problem->offset == offset);
        CHECK(result.problem->text() == text);
    }
}

// Two frames, of 5 and of 2 captured bytes (of 60), 2023-11-14 22:13:20 and .000007 or .000000007.
const Bytes pcap_little = bytes(
    "d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000"
    "00f15365 07000000 05000000 05000000 0102030405"
    "01f15365 00000000 02000000 3c000000 aabb");
const Bytes pcap_big = bytes(
    "a1b2c3d4 0002 0004 00000000 00000000 0000ffff 00000071"
    "6553f100 00000007 00000005 00000005 0102030405"
    "6553f101 00000000 00000002 0000003c aabb");
const Bytes pcap_nanoseconds_little = bytes(
    "4d3cb2a1 0200 0400 00000000 00000000 ffff0000 65000000"
    "00f15365 07000000 05000000 05000000 0102030405"
    "01f15365 00000000 02000000 3c000000 aabb");
const Bytes pcap_nanoseconds_big = bytes(
    "a1b23c4d 0002 0004 00000000 00000000 0000ffff 14000101"  // the upper half of the last field is no link
                                                              // type
    "6553f100 00000007 00000005 00000005 0102030405"
    "6553f101 00000000 00000002 0000003c aabb");
// Each record 8 bytes longer.
const Bytes pcap_patched = bytes(
    "34cdb2a1 0200 0400 00000000 00000000 ffff0000 01000000"
    "00f15365 07000000 05000000 05000000 02000000 0008 04 00 0102030405"
    "01f15365 00000000 02000000 3c000000 02000000 0008 04 00 aabb");

constexpr std::uint64_t first_time = 1700000000'000000000;

const Bytes section_little = bytes("0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000");
const Bytes section_big = bytes("0a0d0d0a 0000001c 1a2b3c4d 0001 0002 ffffffffffffffff 0000001c");

// Ethernet, at most 4 bytes captured, in microseconds; with a name and a comment.
const Bytes ethernet_little = bytes(
    "01000000 30000000 0100 0000 04000000"
    "0200 0500 6c6f303a30 000000"
    "0100 0600 686968696869 0000"
    "0000 0000 30000000");
// Raw IP without a limit, in nanoseconds, 10 seconds later.
const Bytes raw_little = bytes(
    "01000000 2c000000 6500 0000 00000000"
    "0900 0100 09 000000"
    "0e00 0800 0a00000000000000"
    "0000 0000 2c000000");
// Raw IP big endian, in 1/1024 s.
const Bytes raw_big = bytes("00000001 0000001c 0065 0000 00000000 0009 0001 8a 000000 0000001c");

// 1700000000000007 = 0x00060a24181e4007 microseconds.
const Bytes enhanced_little = bytes(
    "06000000 2c000000 00000000 240a0600 07401e18 03000000 3c000000 010203 00"
    "0200 0400 00000000 2c000000");
const Bytes simple_little = bytes("03000000 14000000 3c000000 0a0b0c0d 14000000");
// Interface 1, 3 drops.
const Bytes old_little =
    bytes("02000000 24000000 0100 0300 fe9c9717 07002a36 02000000 02000000 e1e2 0000 24000000");
const Bytes unknown_little = bytes("adde0000 14000000 11223344 55667788 14000000");
const Bytes enhanced_big =
    bytes("00000006 00000024 00000000 00000195 4fc40200 00000004 00000004 c1c2c3c4 00000024");

const Bytes mixed = section_little + ethernet_little + raw_little + unknown_little + enhanced_little +
                    simple_little + old_little + section_big + raw_big + enhanced_big;

// Where the blocks of `mixed` end, and how many packets there are by then.
struct End {
    std::size_t at, packets;
};
const End mixed_ends[] = {{28, 0},  {76, 0},  {120, 0}, {140, 0}, {184, 1},
                          {204, 2}, {240, 3}, {268, 3}, {296, 3}, {332, 4}};

}  // namespace

TEST_CASE("pcap: both byte orders, micro- and nanoseconds") {
    struct Row {
        const Bytes &data;
        std::uint32_t link;
        std::uint64_t fraction;
    };
    for (const Row &row : {Row{pcap_little, 1, 7000}, Row{pcap_big, 113, 7000},
                           Row{pcap_nanoseconds_little, 101, 7}, Row{pcap_nanoseconds_big, 257, 7}})
        for (const Way way : ways) {
            const Result result = read(row.data, way);
            CHECK_FALSE(result.problem);
            REQUIRE(result.packets.size() == 2);
            CHECK(result.frames == 2);
            expect(result.packets[0], 1, 40, bytes("0102030405"), 5, 0, row.link, first_time + row.fraction);
            expect(result.packets[1], 2, 61, bytes("aabb"), 60, 0, row.link, first_time + 1'000'000'000);
        }
}

TEST_CASE("pcap: longer record headers") {
    const Result result = read(pcap_patched, Way::file);
    CHECK_FALSE(result.problem);
    REQUIRE(result.packets.size() == 2);
    expect(result.packets[0], 1, 48, bytes("0102030405"), 5, 0, 1, first_time + 7000);
    expect(result.packets[1], 2, 77, bytes("aabb"), 60, 0, 1, first_time + 1'000'000'000);
}

TEST_CASE("pcap: the lengths of old versions") {
    // 2.2 has the original length first, and so has 543.0, of DG/UX; 2.3 either; 2.4 the captured one.
    struct Row {
        const char *version, *lengths;
    };
    for (const Row &row : {Row{"0200 0000", "3c000000 02000000"}, Row{"0200 0200", "3c000000 02000000"},
                           Row{"0200 0300", "3c000000 02000000"}, Row{"0200 0300", "02000000 3c000000"},
                           Row{"0200 0400", "02000000 3c000000"}, Row{"0200 0500", "02000000 3c000000"},
                           Row{"1f02 0000", "3c000000 02000000"}}) {
        const Result result =
            read(bytes("d4c3b2a1" + std::string(row.version) +
                       "00000000 00000000 ffff0000 01000000 01f15365 00000000" + row.lengths + "aabb"),
                 Way::file);
        CHECK_FALSE(result.problem);
        REQUIRE(result.packets.size() == 1);
        expect(result.packets[0], 1, 40, bytes("aabb"), 60, 0, 1, first_time + 1'000'000'000);
    }
}

TEST_CASE("pcap: any length that a packet may have") {
    // None captured, at the file's end too; more captured than there was; a limit of 0, or one that is passed.
    for (const char *const limit : {"ffff0000", "00000000", "01000000"})
        for (const Way way : ways) {
            const Result result = read(bytes("d4c3b2a1 0200 0400 00000000 00000000" + std::string(limit) +
                                             "01000000 01f15365 00000000 00000000 3c000000"
                                             "01f15365 00000000 02000000 01000000 aabb"
                                             "01f15365 00000000 00000000 00000000"),
                                       way);
            CHECK_FALSE(result.problem);
            REQUIRE(result.packets.size() == 3);
            expect(result.packets[0], 1, 40, {}, 60, 0, 1, first_time + 1'000'000'000);
            expect(result.packets[1], 2, 56, bytes("aabb"), 1, 0, 1, first_time + 1'000'000'000);
            expect(result.packets[2], 3, 74, {}, 0, 0, 1, first_time + 1'000'000'000);
        }
    const Bytes longest =
        bytes("d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000 01f15365 00000000 00000001 00000001");
    const Result result = read(longest + Bytes(16777216, 0xab), Way::file);
    CHECK_FALSE(result.problem);
    REQUIRE(result.packets.size() == 1);
    CHECK(result.packets[0].bytes == Bytes(16777216, 0xab));
    Bytes longer = longest;
    longer[32] = 1;
    expect_problem(longer, Kind::malformed, 1, 24,
                   "frame 1 at offset 24: a record cannot hold 16777217 bytes (the limit is 16777216)");
}

TEST_CASE("pcapng: sections, interfaces and every block with a packet") {
    for (const Way way : ways) {
        const Result result = read(mixed, way);
        CHECK_FALSE(result.problem);
        REQUIRE(result.packets.size() == 4);
        expect(result.packets[0], 1, 168, bytes("010203"), 60, 0, 1, first_time + 7000);
        expect(result.packets[1], 2, 196, bytes("0a0b0c0d"), 60, 0, 1, 0);  // 4 bytes: the interface's limit
        // 0x17979cfe362a0007 ns = 1700000000.000000007 s, and the interface counts from 10 s later.
        expect(result.packets[2], 3, 232, bytes("e1e2"), 2, 1, 101, first_time + 10'000'000'007);
        // 0x1954fc40200 / 1024 s = 1700000000.5 s
        expect(result.packets[3], 4, 324, bytes("c1c2c3c4"), 4, 0, 101, first_time + 500'000'000);
    }
}

TEST_CASE("pcapng: a limit of 0 is none, and an interface's options may overrun") {
    const Bytes unlimited = bytes("01000000 14000000 0100 0000 00000000 14000000");
    const Bytes overrun = bytes("01000000 18000000 0100 0000 00000000 0900 ff00 18000000");
    const Bytes simple = bytes("03000000 18000000 05000000 0102030405 000000 18000000");
    for (const Bytes &interface : {unlimited, overrun}) {
        const Result result = read(section_little + interface + simple, Way::file);
        CHECK_FALSE(result.problem);
        REQUIRE(result.packets.size() == 1);
        CHECK(result.packets[0].bytes == bytes("0102030405"));
    }
}

TEST_CASE("pcapng: blocks that no packet is in, of every kind and length, are passed") {
    // A name resolution block, interface statistics, a journal entry, decryption secrets, custom blocks with
    // and without a number, one of a program's own, and one of nothing.
    const Bytes others = bytes(
        "04000000 1c000000 0100 0800 0a000001 61626300 00000000 1c000000"
        "05000000 18000000 00000000 00000000 00000000 18000000"
        "09000000 18000000 5f5f413d310a 0000 00000000 18000000"
        "0a000000 1c000000 4b534c54 05000000 68656c6c 6f000000 1c000000"
        "ad0b0000 14000000 d97e0000 78000000 14000000"
        "ad0b0040 10000000 d97e0000 10000000"
        "01000080 10000000 31323334 10000000"
        "4d000000 0c000000 0c000000");
    REQUIRE(others.size() == 168);
    for (const Way way : ways) {
        const Result result =
            read(section_little + others + ethernet_little + others + enhanced_little + others, way);
        CHECK_FALSE(result.problem);
        REQUIRE(result.packets.size() == 1);
        expect(result.packets[0], 1, 440, bytes("010203"), 60, 0, 1, first_time + 7000);
    }
}

TEST_CASE("pcapng: a section may say how long it is, rightly or not, and have any minor version") {
    for (const char *const rest : {"0100 0000 5c00000000000000", "0100 0100 0400000000000000",
                                   "0100 0200 0000000000000080", "0100 ffff 0000000000000000"}) {
        const Bytes section = bytes("0a0d0d0a 1c000000 4d3c2b1a" + std::string(rest) + "1c000000");
        const Result result = read(section + ethernet_little + enhanced_little, Way::file);
        CHECK_FALSE(result.problem);
        REQUIRE(result.packets.size() == 1);
        expect(result.packets[0], 1, 104, bytes("010203"), 60, 0, 1, first_time + 7000);
    }
}

TEST_CASE("pcapng: how much was captured") {
    const auto limit_of_2 = bytes("01000000 14000000 6500 0000 02000000 14000000");
    struct Row {
        Bytes block;
        std::uint64_t offset;
        Bytes data;
        std::uint32_t original;
    };
    // An enhanced block says it, whatever the interface's limit, and down to nothing; for a simple one it is
    // what the packet, the limit and the block allow.
    for (const Row &row : {
             Row{bytes("06000000 24000000 00000000 00000000 00000000 03000000 01000000 010203ee 24000000"), 76,
                 bytes("010203"), 1},
             Row{bytes("06000000 20000000 00000000 00000000 00000000 00000000 3c000000 20000000"), 76, {}, 60},
             Row{bytes("02000000 20000000 0000 ffff 00000000 00000000 00000000 3c000000 20000000"), 76, {}, 60},
             Row{bytes("03000000 14000000 3c000000 0102eeee 14000000"), 60, bytes("0102"), 60},
             Row{bytes("03000000 14000000 01000000 01eeeeee 14000000"), 60, bytes("01"), 1},
             Row{bytes("03000000 10000000 3c000000 10000000"), 60, {}, 60},
         })
        for (const Way way : ways) {
            const Result result = read(section_little + limit_of_2 + row.block, way);
            CHECK_FALSE(result.problem);
            REQUIRE(result.packets.size() == 1);
            CHECK(result.packets[0].packet.offset == row.offset);
            CHECK(result.packets[0].bytes == row.data);
            CHECK(result.packets[0].packet.original == row.original);
        }

    const Bytes longest = bytes("06000000 20000001 00000000 00000000 00000000 00000001 00000001");
    const Result result =
        read(section_little + limit_of_2 + longest + Bytes(16777216, 0xab) + bytes("20000001"), Way::file);
    CHECK_FALSE(result.problem);
    REQUIRE(result.packets.size() == 1);
    CHECK(result.packets[0].bytes == Bytes(16777216, 0xab));
    Bytes longer = longest;
    longer[4] = 0x24, longer[20] = 1;
    const Result too_long =
        read(section_little + limit_of_2 + longer + Bytes(16777220, 0xab) + bytes("24000001"), Way::file);
    REQUIRE(too_long.problem);
    CHECK(too_long.problem->text() ==
          "frame 1 at offset 48: 16777217 captured bytes do not fit the block of 16777252");
}

TEST_CASE("pcapng: an interface's resolution, behind options of any size") {
    struct Row {
        const char *resolution, *ticks;
        std::optional<std::uint64_t> nanoseconds;
    };
    for (const Row &row : {
             Row{"00", "00000000 05000000", 5'000'000'000},
             Row{"01", "00000000 0f000000", 1'500'000'000},
             Row{"03", "00000000 ffffffff", 4'294'967'295'000'000},
             Row{"06", "01000000 00000000", 4'294'967'296'000},
             Row{"09", "01000000 01000000", 4'294'967'297},
             Row{"13", "86b42ad0 0000dcce", 1'500'000'000},  // 15 * 10^18
             Row{"14", "00000000 05000000", std::nullopt},
             Row{"7f", "00000000 05000000", std::nullopt},
             Row{"80", "00000000 05000000", 5'000'000'000},
             Row{"81", "00000000 05000000", 2'500'000'000},
             Row{"8a", "00000000 00060000", 1'500'000'000},
             Row{"bf", "00000060 00000000", 750'000'000},
             Row{"c0", "00000000 05000000", std::nullopt},
             Row{"ff", "00000000 05000000", std::nullopt},
         })
        for (std::size_t size = 0; size < 10; ++size) {
            CAPTURE(std::string(row.resolution));
            CAPTURE(size);
            Bytes options = bytes("0200 0000");
            options[2] = static_cast<unsigned char>(size);
            options.resize(4 + (size + 3) / 4 * 4, 0x65);
            // What has another size than it must have is passed over, and so is what comes behind the end.
            options =
                options + bytes("0900 0100" + std::string(row.resolution) +
                                "000000 0900 0200 00000000 0e00 0400 01000000 0000 0000 0900 0100 05000000");
            const auto length = static_cast<unsigned char>(20 + options.size());
            const Bytes interface = bytes("01000000") + Bytes{length, 0, 0, 0} + bytes("6500 0000 00000000") +
                                    options + Bytes{length, 0, 0, 0};
            const Result result = read(
                section_little + interface +
                    bytes("06000000 20000000 00000000" + std::string(row.ticks) + "00000000 00000000 20000000"),
                Way::file);
            CHECK_FALSE(result.problem);
            REQUIRE(result.packets.size() == 1);
            CHECK(result.packets[0].time == row.nanoseconds);
        }
}

TEST_CASE("pcapng: an interface counts from any second, before 1970 too") {
    struct Row {
        const char *little, *big;
        std::uint64_t nanoseconds;  // with 6 seconds and 7
    };
    for (const Row &row : {Row{"0200000001000000", "0000000100000002", 4'294'967'304'000'000'007},
                           Row{"fbffffffffffffff", "fffffffffffffffb", 1'000'000'007}}) {
        const Result results[] = {
            read(section_little +
                     bytes("01000000 2c000000 6500 0000 00000000 0900 0100 09000000 0e00 0800" +
                           std::string(row.little) +
                           "0000 0000 2c000000"
                           "06000000 20000000 00000000 01000000 07bca065 00000000 00000000 20000000"),
                 Way::file),
            read(section_big + bytes("00000001 0000002c 0065 0000 00000000 0009 0001 09000000 000e 0008" +
                                     std::string(row.big) +
                                     "0000 0000 0000002c"
                                     "00000006 00000020 00000000 00000001 65a0bc07 00000000 00000000 00000020"),
                 Way::file)};
        for (const Result &result : results) {
            CHECK_FALSE(result.problem);
            REQUIRE(result.packets.size() == 1);
            CHECK(result.packets[0].time == row.nanoseconds);
        }
    }
}

TEST_CASE("pcapng: as many interfaces as 16 bits can number, in each section") {
    Bytes data = section_little;
    for (int i = 0; i < 65536; ++i)
        data = std::move(data) + bytes("01000000 14000000 6500 0000 00000000 14000000");
    const Bytes last = bytes("02000000 20000000 ffff 0000 00000000 00000000 00000000 00000000 20000000");
    const Result result = read(data + last + data + last, Way::file);
    CHECK_FALSE(result.problem);
    REQUIRE(result.packets.size() == 2);
    CHECK(result.packets[1].packet.interface == 65535);
    expect_problem(data + ethernet_little, Kind::malformed, 0, 1310748,
                   "offset 1310748: more than 65536 interfaces in one section");
}

TEST_CASE("time in any resolution") {
    CHECK(nanoseconds({.ticks_per_second = 1}, 5) == 5'000'000'000);
    CHECK(nanoseconds({.ticks_per_second = 1000, .epoch = -1}, 5001) == 4'001'000'000);
    CHECK(nanoseconds({.ticks_per_second = 1'000'000'000'000}, 5'000'000'007'000) == 5'000'000'007);
    CHECK(nanoseconds({.ticks_per_second = 10'000'000'000'000'000'000u}, 15'000'000'000'000'000'000u) ==
          1'500'000'000);
    CHECK(nanoseconds({.ticks_per_second = std::uint64_t{1} << 63}, std::uint64_t{3} << 61) == 750'000'000);
}

TEST_CASE("a capture without packets is one") {
    for (const Way way : ways)
        for (const Bytes &data :
             {Bytes(pcap_little.begin(), pcap_little.begin() + 24), section_little, section_big + raw_big}) {
            const Result result = read(data, way);
            CHECK_FALSE(result.problem);
            CHECK(result.is_capture);
            CHECK(result.packets.empty());
        }
}

TEST_CASE("what is no capture") {
    expect_problem({}, Kind::foreign, 0, 0, "the file is empty");
    expect_problem(bytes("d4c3b2"), Kind::foreign, 0, 0, "neither pcap nor pcapng: it begins with d4 c3 b2");
    expect_problem(bytes("736e6f6f 70000000"), Kind::foreign, 0, 0,
                   "neither pcap nor pcapng: it begins with 73 6e 6f 6f");
    expect_problem(bytes("1f8b0800 00000000"), Kind::foreign, 0, 0,
                   "compressed: unpack it first, as in `gzip -dc FILE | onesum check -`");
    expect_problem(bytes("28b52ffd 00000000"), Kind::foreign, 0, 0,
                   "compressed: unpack it first, as in `zstd -dc FILE | onesum check -`");
    expect_problem(bytes("fd377a58 5a000000"), Kind::foreign, 0, 0,
                   "compressed: unpack it first, as in `xz -dc FILE | onesum check -`");
    expect_problem(bytes("425a6839"), Kind::foreign, 0, 0,
                   "compressed: unpack it first, as in `bzip2 -dc FILE | onesum check -`");
    expect_problem(bytes("04224d18 00000000"), Kind::foreign, 0, 0,
                   "compressed: unpack it first, as in `lz4 -dc FILE | onesum check -`");
    CHECK_FALSE(read(bytes("736e6f6f 70000000"), Way::file).is_capture);
    // Nor what ends within its header.
    for (const Way way : ways) {
        CHECK_FALSE(read(Bytes(pcap_little.begin(), pcap_little.begin() + 23), way).is_capture);
        CHECK_FALSE(read(Bytes(section_little.begin(), section_little.end() - 1), way).is_capture);
        CHECK_FALSE(read(Bytes(section_little.begin(), section_little.begin() + 10), way).is_capture);
    }
}

TEST_CASE("what cannot be in a pcap file") {
    expect_problem(bytes("d4c3b2a1 0300 0100 00000000 00000000 ffff0000 01000000"), Kind::malformed, 0, 0,
                   "offset 0: pcap version 3.1 is not known, only 2 is");
    expect_problem(bytes("a1b2c3d4 021f 0001 00000000 00000000 0000ffff 00000001"), Kind::malformed, 0, 0,
                   "offset 0: pcap version 543.1 is not known, only 2 is");
    Bytes absurd = pcap_little;
    absurd[24 + 21 + 11] = 0xff;  // the second record's captured length
    expect_problem(absurd, Kind::malformed, 2, 45,
                   "frame 2 at offset 45: a record cannot hold 4278190082 bytes (the limit is 16777216)");
}

TEST_CASE("what cannot be in a pcapng file") {
    const auto changed = [](Bytes data, std::size_t at, unsigned char value) {
        data[at] = value;
        return data;
    };
    expect_problem(changed(section_little, 8, 0), Kind::malformed, 0, 0,
                   "offset 0: a section header block without the byte-order magic");
    const Bytes of_version_2 = changed(changed(section_little, 12, 2), 14, 3);
    expect_problem(of_version_2, Kind::malformed, 0, 0, "offset 0: pcapng version 2.3 is not known, only 1 is");
    expect_problem(Bytes(of_version_2.begin(), of_version_2.begin() + 16), Kind::malformed, 0, 0,
                   "offset 0: pcapng version 2.3 is not known, only 1 is");
    expect_problem(changed(section_little, 4, 24), Kind::malformed, 0, 0,
                   "offset 0: a section header block cannot have 24 bytes");
    expect_problem(changed(section_little, 24, 24), Kind::malformed, 0, 0,
                   "offset 0: the block begins with a length of 28 and ends with one of 24");
    expect_problem(changed(mixed, 28 + 4, 16), Kind::malformed, 0, 28,
                   "offset 28: an interface description block cannot have 16 bytes");
    expect_problem(
        changed(mixed, 28 + 7, 0x10), Kind::malformed, 0, 28,
        "offset 28: an interface description block cannot have 268435504 bytes (the limit is 33554432)");
    expect_problem(changed(mixed, 120 + 4, 0x15), Kind::malformed, 0, 120,
                   "offset 120: a block of type 0x0000dead cannot have 21 bytes");
    expect_problem(changed(mixed, 120 + 4, 8), Kind::malformed, 0, 120,
                   "offset 120: a block of type 0x0000dead cannot have 8 bytes");
    expect_problem(changed(mixed, 140 + 4, 28), Kind::malformed, 1, 140,
                   "frame 1 at offset 140: an enhanced packet block cannot have 28 bytes");
    expect_problem(changed(mixed, 140 + 7, 0x10), Kind::malformed, 1, 140,
                   "frame 1 at offset 140: an enhanced packet block cannot have 268435500 bytes (the limit is "
                   "33554432)");
    expect_problem(changed(mixed, 140 + 40, 40), Kind::malformed, 1, 140,
                   "frame 1 at offset 140: the block begins with a length of 44 and ends with one of 40");
    expect_problem(changed(mixed, 140 + 8, 2), Kind::malformed, 1, 140,
                   "frame 1 at offset 140: interface 2 is not described in this section");
    expect_problem(changed(mixed, 140 + 20, 13), Kind::malformed, 1, 140,
                   "frame 1 at offset 140: 13 captured bytes do not fit the block of 44");
    expect_problem(changed(mixed, 204 + 9, 1), Kind::malformed, 3, 204,
                   "frame 3 at offset 204: interface 257 is not described in this section");
    // Interfaces end with their section.
    expect_problem(section_little + ethernet_little + section_big + enhanced_big, Kind::malformed, 1, 104,
                   "frame 1 at offset 104: interface 0 is not described in this section");
}

TEST_CASE("pcap: every truncation") {
    for (const Bytes &whole : {pcap_little, pcap_big, pcap_nanoseconds_little})
        for (std::size_t size = 1; size < whole.size(); ++size)
            for (const Way way : ways) {
                CAPTURE(size);
                const Result result = read(Bytes(whole.begin(), whole.begin() + static_cast<long>(size)), way);
                CHECK(result.packets.size() == (size < 45 ? 0 : 1));
                if (size == 24 || size == 45) {
                    CHECK_FALSE(result.problem);
                    continue;
                }
                REQUIRE(result.problem);
                CHECK(result.problem->kind == (size < 4 ? Kind::foreign : Kind::truncated));
                CHECK(result.problem->offset == (size < 24 ? 0 : size < 45 ? 24 : 45));
                CHECK(result.problem->frame == (size < 24 ? 0 : size < 45 ? 1 : 2));
            }
    expect_problem(Bytes(pcap_little.begin(), pcap_little.end() - 1), Kind::truncated, 2, 45,
                   "frame 2 at offset 45: the file is cut off: the record has 18 bytes, 17 are there");
    expect_problem(Bytes(pcap_little.begin(), pcap_little.begin() + 46), Kind::truncated, 2, 45,
                   "frame 2 at offset 45: the file is cut off: a record's header has 16 bytes, 1 is there");
}

TEST_CASE("pcapng: every truncation") {
    for (std::size_t size = 1; size < mixed.size(); ++size)
        for (const Way way : ways) {
            CAPTURE(size);
            const Result result = read(Bytes(mixed.begin(), mixed.begin() + static_cast<long>(size)), way);
            std::size_t packets = 0, at = 0;
            for (const End &end : mixed_ends)
                if (end.at <= size) packets = end.packets, at = end.at;
            CHECK(result.packets.size() == packets);
            if (at == size) {
                CHECK_FALSE(result.problem);
                continue;
            }
            REQUIRE(result.problem);
            CHECK(result.problem->kind == (size < 4 ? Kind::foreign : Kind::truncated));
            CHECK(result.problem->offset == at);
        }
    expect_problem(Bytes(mixed.begin(), mixed.end() - 1), Kind::truncated, 4, 296,
                   "frame 4 at offset 296: the file is cut off: the block has 36 bytes, 35 are there");
    expect_problem(Bytes(mixed.begin(), mixed.begin() + 139), Kind::truncated, 0, 120,
                   "offset 120: the file is cut off: the block has 20 bytes, 19 are there");
}

TEST_CASE("a file that cannot be read") {
    const int folder = open("/", O_RDONLY);
    REQUIRE(folder >= 0);
    Input input(folder);
    Reader reader(input);
    CHECK(reader.next() == nullptr);
    REQUIRE(reader.problem());
    CHECK(reader.problem()->kind == Kind::unreadable);
    CHECK(reader.problem()->text() == "offset 0: Is a directory");
    close(folder);
}

namespace {

// 24 MiB of packets of 0 to 300000 bytes, each filled by its number, and a foreign block of 9 MiB among them.
struct Large {
    Bytes data = section_little + bytes("01000000 14000000 0100 0000 00000000 14000000");
    std::vector<std::size_t> sizes, offsets;

    Large() {
        std::mt19937 random(1);
        while (data.size() < std::size_t{24} << 20) {
            const std::size_t size = random() % 8 == 0 ? random() % 300000 : random() % 1515;
            const std::size_t block = 32 + (size + 3) / 4 * 4;
            put32(6), put32(block), put32(0), put32(0), put32(0), put32(size), put32(size);
            sizes.push_back(size);
            offsets.push_back(data.size());
            data.resize(data.size() + size, static_cast<unsigned char>(sizes.size()));
            data.resize(data.size() + (4 - size % 4) % 4, 0xee);
            put32(block);
            if (sizes.size() == 40) {
                constexpr std::size_t large = 9 << 20;
                put32(0xbad), put32(large);
                data.resize(data.size() + large - 12, 0xdd);
                put32(large);
            }
        }
    }

    bool holds(const Packet &packet) const {
        const std::size_t i = packet.frame - 1;
        return i < sizes.size() && packet.bytes.size() == sizes[i] && packet.offset == offsets[i] &&
               std::all_of(packet.bytes.begin(), packet.bytes.end(),
                           [&](std::byte byte) { return byte == static_cast<std::byte>(packet.frame); });
    }

  private:
    void put32(std::size_t value) {
        for (int shift = 0; shift < 32; shift += 8) data.push_back(static_cast<unsigned char>(value >> shift));
    }
};

}  // namespace

TEST_CASE("several inputs read one file part by part, each its own") {
    const Large large;
    Source source(large.data, Way::file);
    for (const std::size_t part : {std::size_t{5000}, std::size_t{256} << 10, large.data.size() + 1}) {
        Input first(source.descriptor()), second(source.descriptor());
        Reader reader(first);
        std::uint64_t position = 0;
        bool right = true;
        std::size_t frames = 0;
        for (std::uint64_t number = 0; position < large.data.size(); ++number) {
            Input &input = number % 2 ? second : first;
            input.fetch(number * part, part);
            input.go_to(position);
            CHECK(input.position() == position);
            reader.go_on_in(input);
            std::vector<Packet> packets;
            std::vector<std::shared_ptr<Input::Memory>> held;
            const Packet *packet = nullptr;
            while (reader.position() < (number + 1) * part && (packet = reader.next())) {
                packets.push_back(*packet);
                held.push_back(input.memory());
            }
            position = reader.position();
            frames += packets.size();
            for (const Packet &one : packets) right = right && large.holds(one);
        }
        CHECK(reader.next() == nullptr);
        CHECK_FALSE(reader.problem());
        CHECK(right);
        CHECK(frames == large.sizes.size());
    }
}

TEST_CASE("an input goes to any place of a mapped file") {
    const Large large;
    Source source(large.data, Way::file);
    Input input(source.descriptor());
    for (const std::size_t at : {std::size_t{0}, std::size_t{20} << 20, std::size_t{20}, std::size_t{1} << 20,
                                 large.data.size() - 1, large.data.size(), std::size_t{7}}) {
        input.go_to(at);
        CHECK(input.position() == at);
        const auto there = input.ahead(1);
        CHECK(there.empty() == (at == large.data.size()));
        if (!there.empty()) CHECK(there[0] == static_cast<std::byte>(large.data[at]));
    }
}

TEST_CASE("a file is mapped 4 MiB at a time, anything else read") {
    constexpr std::size_t mapped = 4194304, buffered = 524288;
    const Large large;
    const std::size_t all = large.data.size();
    calls = {};
    {
        Source source(large.data, Way::file);
        Input input(source.descriptor());
        CHECK(input.size() == all);
        CHECK(input.ahead(1).size() == mapped);
        CHECK(input.pass(12345677) == 12345677);
        CHECK(input.position() == 12345677);
        CHECK(input.ahead(1).size() == mapped);
        CHECK(input.ahead(5000000).size() == 5000000);
        // Within what is mapped nothing is mapped anew.
        const auto held = input.memory();
        input.go_to(12345678);
        CHECK(input.ahead(1)[0] == static_cast<std::byte>(large.data[12345678]));
        CHECK(input.memory() == held);
    }
    {
        Source source(large.data, Way::file);
        Input input(source.descriptor());
        CHECK(input.pass(UINT64_MAX) == all);
        CHECK(input.position() == all);
        CHECK(input.ahead(1).empty());
        CHECK(input.pass(1) == 0);
        input.go_to(1);
        CHECK(input.ahead(1).size() == mapped);
        CHECK(input.error() == 0);
        input.go_to(all - 3);
        CHECK(input.ahead(1).size() == 3);
        CHECK(input.pass(5) == 3);
    }
    CHECK(calls.reads == 0);
    CHECK(calls.mapped == 0);
    CHECK(calls.most_mapped == 1);
    calls = {};
    {
        Source source(large.data, Way::file);
        Input input(source.descriptor(), [](std::span<const std::byte> part) { CHECK_FALSE(part.empty()); });
        const std::byte *const buffer = input.ahead(1).data();
        CHECK(input.ahead(1).size() == buffered);
        CHECK(input.pass(buffered + 1) == buffered + 1);
        CHECK(input.ahead(1).data() == buffer + 1);  // the same buffer, as nobody holds it
        CHECK(input.pass(475711) == 475711);
        CHECK(input.position() == 1000000);
        CHECK(input.ahead(buffered + 1).size() == buffered + 1);
        CHECK(input.pass(UINT64_MAX) == all - 1000000);
        CHECK(input.position() == all);
        // The end is the end, and not asked for again.
        const int reads = calls.reads;
        CHECK(input.ahead(1).empty());
        CHECK(calls.reads == reads);
        CHECK(input.error() == 0);
    }
    CHECK(calls.maps == 0);
    // What has been read a part of is read on from there.
    Source begun(large.data, Way::file);
    REQUIRE(lseek(begun.descriptor(), 40, SEEK_SET) == 40);
    Input rest(begun.descriptor());
    CHECK_FALSE(rest.size());
    CHECK(rest.ahead(1)[0] == static_cast<std::byte>(large.data[40]));
    CHECK(rest.position() == 0);
    CHECK(calls.mapped == 0);
    // A file of size 0 and yet with bytes in it.
    const int version = open("/proc/version", O_RDONLY);
    if (version >= 0) {
        Input input(version);
        CHECK_FALSE(input.size());
        CHECK(input.ahead(5).size() >= 5);
        close(version);
    }
#if defined(F_SETPIPE_SZ)
    // Pipes are made as large as any user may make one.
    Source one(large.data, Way::pipe), other(large.data, Way::pipe);
    Input input(one.descriptor());
    if (fcntl(other.descriptor(), F_SETPIPE_SZ, 1048576) > 0)
        CHECK(fcntl(one.descriptor(), F_GETPIPE_SZ) == fcntl(other.descriptor(), F_GETPIPE_SZ));
#endif
}

TEST_CASE("a part of a file is read at once, and no more, into the first buffer") {
    const Large large;
    Source source(large.data, Way::file);
    Input input(source.descriptor());
    CHECK_FALSE(input.ahead(1).empty());
    const std::byte *first = nullptr;
    for (const std::size_t at : {std::size_t{600000}, std::size_t{600001}, std::size_t{5000000}}) {
        calls = {};
        input.fetch(at, 100000);
        CHECK(calls.reads == 1);
        CHECK(input.position() == at);
        CHECK(input.error() == 0);
        const auto part = input.ahead(1);
        REQUIRE(part.size() == 100000);
        CHECK(std::memcmp(part.data(), &large.data[at], part.size()) == 0);
        CHECK((first == nullptr || part.data() == first));
        first = part.data();
        CHECK(calls.reads == 1);
        // A packet across the part's end is read into a buffer of its own where the part is held.
        const auto held = input.memory();
        CHECK(input.pass(99990) == 99990);
        const auto across = input.ahead(2000);
        REQUIRE(across.size() == 2000);
        CHECK(std::memcmp(across.data(), &large.data[at + 99990], across.size()) == 0);
        CHECK(input.memory() != held);
        CHECK(std::memcmp(part.data(), &large.data[at], part.size()) == 0);
    }
    CHECK(calls.maps == 0);
    input.fetch(large.data.size() - 10, 100000);
    CHECK(input.ahead(1).size() == 10);
    CHECK(input.ahead(11).size() == 10);
    input.fetch(7, 2000000);
    CHECK(input.ahead(1).size() == 2000000);
    CHECK(std::memcmp(input.ahead(1).data(), &large.data[7], 2000000) == 0);
    CHECK(input.ahead(2000001).size() == 2000001);
}

TEST_CASE("a file that cannot be mapped, from some place on, is read from there on") {
    const Large large;
    for (const int maps : {0, 1, 3}) {
        calls = {.maps_left = maps};
        Source source(large.data, Way::file);
        Input input(source.descriptor());
        Reader reader(input);
        bool right = true;
        while (const Packet *packet = reader.next()) right = right && large.holds(*packet);
        CHECK(right);
        CHECK_FALSE(reader.problem());
        CHECK(reader.frames() == large.sizes.size());
        CHECK(reader.position() == large.data.size());
        CHECK(calls.maps == maps + 1);  // and no other was tried
        CHECK(calls.mapped == 0);
    }
    calls = {};
}

TEST_CASE("reads that are interrupted go on") {
    for (const Bytes &data : {pcap_little, mixed})
        for (const Way way : ways) {
            const Result expected = read(data, way);
            calls = {.maps_left = 0, .interrupts = true};
            const Result result = read(data, way);
            calls = {};
            CHECK_FALSE(result.problem);
            REQUIRE(result.packets.size() == expected.packets.size());
            for (std::size_t i = 0; i < expected.packets.size(); ++i)
                CHECK(result.packets[i].bytes == expected.packets[i].bytes);
        }
}

TEST_CASE("reads that fail: every packet before, and the system's words") {
    for (const Bytes &data : {pcap_little, mixed})
        for (std::size_t size = 0; size <= data.size(); ++size)
            for (const Way way : ways) {
                CAPTURE(size);
                std::size_t packets = 0, at = 0;
                for (const End &end : data == mixed
                                          ? std::vector<End>(std::begin(mixed_ends), std::end(mixed_ends))
                                          : std::vector<End>{{24, 0}, {45, 1}, {63, 2}})
                    if (end.at <= size) packets = end.packets, at = end.at;
                calls = {.maps_left = 0, .bytes_left = size};
                Source source(data, way);
                Input input(source.descriptor());
                Reader reader(input);
                while (reader.next()) continue;
                const int reads = calls.reads;
                CHECK(reader.next() == nullptr);
                CHECK(calls.reads == reads);
                calls = {};
                CHECK(reader.next() == nullptr);  // it stays so
                CHECK(reader.frames() == packets);
                REQUIRE(reader.problem());
                CHECK(reader.problem()->kind == Kind::unreadable);
                CHECK(reader.problem()->offset == at);
                CHECK(reader.problem()->what == "Input/output error");
                CHECK(input.error() == EIO);
            }
}

TEST_CASE("many windows: every packet, and every byte handed on with its changes") {
    const Large large;
    const Bytes &data = large.data;
    struct Row {
        Way way;
        bool sink;
    };
    for (const Row &row :
         {Row{Way::file, false}, Row{Way::file, true}, Row{Way::pipe, false}, Row{Way::pipe, true}}) {
        Source source(data, row.way);
        Bytes handed_on;
        handed_on.reserve(data.size());
        const auto sink = [&](std::span<const std::byte> part) {
            const auto *const first = reinterpret_cast<const unsigned char *>(part.data());
            handed_on.insert(handed_on.end(), first, first + part.size());
        };
        Input input(source.descriptor(), row.sink ? sink : Input::Sink());
        Reader reader(input);
        Bytes changed = data;
        std::size_t frames = 0;
        bool right = true;
        struct Held {
            Packet packet;
            std::shared_ptr<Input::Memory> memory;
        };
        std::vector<Held> held;
        while (const Packet *packet = reader.next()) {
            if (!row.sink && frames % 500 == 0) held.push_back({*packet, input.memory()});
            right = right && large.holds(*packet) && packet->frame == ++frames;
            if (!row.sink || packet->bytes.empty()) continue;
            const std::size_t at = packet->offset + packet->bytes.size() - 1;
            packet->bytes.back() ^= std::byte{0xff};
            changed[at] = static_cast<unsigned char>(changed[at] ^ 0xff);
        }
        for (const Held &one : held) right = right && large.holds(one.packet);
        CHECK_FALSE(reader.problem());
        CHECK(right);
        CHECK(frames == large.sizes.size());
        input.pass_all();
        CHECK(input.position() == data.size());
        if (row.sink) CHECK(handed_on == changed);
        // The file itself is as it was.
        if (row.way == Way::file) {
            Bytes again(data.size());
            CHECK(pread(source.descriptor(), again.data(), again.size(), 0) ==
                  static_cast<ssize_t>(again.size()));
            CHECK(again == data);
        }
    }
}

TEST_CASE("all bytes are handed on after a problem too") {
    Bytes damaged = pcap_little;
    damaged[24 + 21 + 11] = 0xff;
    damaged.resize(damaged.size() + 3000, 0x77);
    const Bytes cut(pcap_little.begin(), pcap_little.end() - 1);
    for (const Bytes &data : {damaged, cut})
        for (const Way way : ways) {
            Source source(data, way);
            Bytes handed_on;
            Input input(source.descriptor(), [&](std::span<const std::byte> part) {
                CHECK_FALSE(part.empty());
                const auto *const first = reinterpret_cast<const unsigned char *>(part.data());
                handed_on.insert(handed_on.end(), first, first + part.size());
            });
            Reader reader(input);
            while (reader.next()) continue;
            CHECK(reader.problem());
            input.pass_all();
            CHECK(handed_on == data);
            input.pass_all();  // and once only
            CHECK(handed_on == data);
        }
}

TEST_CASE("whatever the bytes: packets lie in the file, one after the other") {
    std::mt19937 random(2);
    const Bytes originals[] = {pcap_little, pcap_big, pcap_patched, mixed};
    for (int round = 0; round < 20000; ++round) {
        Bytes data = originals[round % 4];
        for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
            data[random() % data.size()] =
                static_cast<unsigned char>(random() % 3 ? random() % 256 : random() % 32);
        data.resize(data.size() - random() % 8);
        const Result result = read(data, Way::file);
        std::uint64_t end = 0;
        bool right = result.frames == result.packets.size();
        for (const Copy &one : result.packets) {
            right = right && one.packet.offset >= end && one.packet.offset + one.bytes.size() <= data.size() &&
                    std::equal(one.bytes.begin(), one.bytes.end(),
                               data.begin() + static_cast<long>(one.packet.offset));
            end = one.packet.offset + one.bytes.size();
        }
        CHECK(right);
    }
}
