// The public functions over packets. SPDX-License-Identifier: MIT
#include <iterator>

#include "packet/walk.h"

using namespace onesum::packet;

namespace {

constexpr const char *protocol_names[] = {"ipv4",     "tcp",   "udp",      "udplite", "icmp",   "icmpv6",
                                          "icmp_ext", "igmp",  "gre",      "ospf",    "ospfv3", "pim",
                                          "vrrp",     "carp",  "dccp",     "mh",      "rsvp",   "esp",
                                          "sctp",     "eigrp", "ospf_lls", "nhrp",    "pgm",    "hip"};
constexpr const char *verdict_names[] = {"good",         "bad",          "partial",  "absent",
                                         "illegal_zero", "unverifiable", "malformed"};
constexpr const char *reason_names[] = {"",       "fragment", "truncated", "encrypted", "presumed_tso",
                                        "option", "crc32c"};
static_assert(std::size(protocol_names) == ONESUM_PROTOCOLS);
static_assert(std::size(verdict_names) == ONESUM_VERDICTS);
static_assert(std::size(reason_names) == ONESUM_REASONS);

template <size_t count>
const char *name(const char *const (&names)[count], int number) {
    return number >= 0 && static_cast<size_t>(number) < count ? names[number] : nullptr;
}

// Where onesum_packet_fill() stores.
struct Target {
    const onesum_writable *list;
    size_t count;

    void store(size_t at, uint16_t value) const {
        uint8_t bytes[2];
        std::memcpy(bytes, &value, 2);
        store(at, bytes[0]);
        store(at + 1, bytes[1]);
    }

  private:
    void store(size_t at, uint8_t byte) const {
        for (size_t i = 0; i < count; at -= list[i++].size) {
            if (at >= list[i].size) continue;
            static_cast<uint8_t *>(list[i].data)[at] = byte;
            return;
        }
    }
};

// The fields that have been filled.
class Filled {
  public:
    void add(size_t field) { fields_[count_++] = field; }

    bool any_in(const onesum_packet_result &result) const {
        for (unsigned i = 0; i < count_; ++i)
            for (const onesum_packet_range &range : result.covered)
                // One byte of the field is enough: a partial coverage may end there.
                if (fields_[i] + 2 > range.offset && fields_[i] < range.offset + range.size) return true;
        return false;
    }

  private:
    size_t fields_[ONESUM_PACKET_LAYERS];
    unsigned count_ = 0;
};

bool chosen(const onesum_packet_options &options, const onesum_packet_result &result) {
    constexpr uint32_t fillable =
        1u << ONESUM_VERDICT_BAD | 1u << ONESUM_VERDICT_PARTIAL | 1u << ONESUM_VERDICT_ILLEGAL_ZERO;
    const uint32_t verdicts =
        options.fill_verdicts ? options.fill_verdicts & (fillable | 1u << ONESUM_VERDICT_ABSENT) : fillable;
    return verdicts >> result.verdict & 1 &&
           (options.fill_protocols == 0 || options.fill_protocols >> result.protocol & 1);
}

// Never filled, whatever is chosen.
bool is_untouchable(const onesum_packet_options &options, const onesum_packet_result &result) {
    return result.flags & ONESUM_RESULT_QUOTED || !(result.flags & ONESUM_RESULT_EXPECTED) ||
           (result.flags & ONESUM_RESULT_TSO && !(options.flags & ONESUM_PACKET_JUDGE_TSO));
}

// Innermost first: a verdict may depend on those of what it covers.
void judge_all(Walk &walk) {
    for (unsigned i = walk.count(); i-- > 0;) judge(walk, walk[i]);
}

size_t check(const Bytes &packet, uint32_t start, const onesum_packet_options *options,
             onesum_packet_result *results, size_t capacity, const Summed &before = {}) {
    onesum_packet_result scratch[ONESUM_PACKET_LAYERS];
    const bool direct = capacity >= ONESUM_PACKET_LAYERS;
    Walk walk(packet, options, direct ? results : scratch, before);
    walk.run(start);
    const size_t wanted = std::min<size_t>(walk.count(), capacity);
    if (wanted != 0) judge_all(walk);
    if (!direct) std::copy_n(scratch, wanted, results);
    return walk.count();
}

size_t fill(const Bytes &packet, const Target &target, uint32_t start, const onesum_packet_options *options,
            onesum_packet_result *results, size_t capacity) {
    onesum_packet_result found[ONESUM_PACKET_LAYERS];
    Walk walk(packet, options, found);
    walk.run(start);
    const size_t count = walk.count();
    judge_all(walk);
    Filled filled;
    for (size_t i = count; i-- > 0;) {
        onesum_packet_result &result = found[i];
        bool follows = false;
        if (filled.any_in(result)) {
            // What belongs in the field has changed. The verdict stays that of the packet as it was.
            const uint8_t before = result.verdict;
            const bool was_right = result.expected == result.stored;
            judge(walk, walk[i]);
            follows = was_right && result.expected != result.stored;
            result.verdict = before;
        }
        const bool wanted = follows || chosen(walk.options, result);
        if (!wanted || is_untouchable(walk.options, result) || result.expected == result.stored) continue;
        target.store(result.offset, result.expected);
        result.flags |= follows ? ONESUM_RESULT_FILLED | ONESUM_RESULT_FOLLOWED : ONESUM_RESULT_FILLED;
        filled.add(result.offset);
    }
    std::copy_n(found, std::min(count, capacity), results);
    return count;
}

}  // namespace

extern "C" {

size_t onesum_packet_check(const void *packet, size_t size, uint32_t start,
                           const onesum_packet_options *options, onesum_packet_result *results,
                           size_t capacity) {
    Summed summed{};
    const unsigned count =
        check_frequent(static_cast<const uint8_t *>(packet), size, start, results, capacity, summed);
    if (count != 0) return count;
    return check(Bytes(packet, size), start, options, results, capacity, summed);
}

size_t onesum_packet_check_iov(const onesum_buffer *list, size_t count, uint32_t start,
                               const onesum_packet_options *options, onesum_packet_result *results,
                               size_t capacity) {
    return check(Bytes(list, count), start, options, results, capacity);
}

size_t onesum_packet_fill(void *packet, size_t size, uint32_t start, const onesum_packet_options *options,
                          onesum_packet_result *results, size_t capacity) {
    if (capacity >= ONESUM_PACKET_LAYERS) {
        Summed summed{};  // of no use to the walk: what is filled changes it
        const unsigned count =
            check_frequent(static_cast<const uint8_t *>(packet), size, start, results, capacity, summed);
        constexpr onesum_packet_options defaults{};
        if (count != 0 && std::none_of(results, results + count, [&](const onesum_packet_result &result) {
                return chosen(options ? *options : defaults, result);
            }))
            return count;
    }
    const onesum_writable whole = {packet, size};
    return fill(Bytes(packet, size), {&whole, 1}, start, options, results, capacity);
}

size_t onesum_packet_fill_iov(const onesum_writable *list, size_t count, uint32_t start,
                              const onesum_packet_options *options, onesum_packet_result *results,
                              size_t capacity) {
    // The two kinds of piece are laid out alike.
    static_assert(sizeof(onesum_writable) == sizeof(onesum_buffer));
    return fill(Bytes(reinterpret_cast<const onesum_buffer *>(list), count), {list, count}, start, options,
                results, capacity);
}

int onesum_packet_link_known(uint32_t start) { return by_link_type(start) != nullptr; }

const char *onesum_protocol_name(int protocol) { return name(protocol_names, protocol); }
const char *onesum_verdict_name(int verdict) { return name(verdict_names, verdict); }
const char *onesum_reason_name(int reason) { return name(reason_names, reason); }

int onesum_protocol_named(const char *name) {
    for (int i = 0; i < ONESUM_PROTOCOLS; ++i)
        if (std::strcmp(name, protocol_names[i]) == 0) return i;
    return ONESUM_UNKNOWN;
}
}
