// Verdicts. SPDX-License-Identifier: MIT
#include "packet/walk.h"

namespace onesum::packet {

namespace {

class Judge {
  public:
    Judge(Walk &walk, const Claim &claim)
        : walk_(walk), claim_(claim), result_(*claim.result), stored_(walk.bytes.checksum(result_.offset)) {}

    void run() {
        result_.covered[0].size = claim_.first;
        result_.stored = stored_;
        result_.expected = 0;
        result_.reason = ONESUM_REASON_NONE;
        result_.flags = static_cast<uint8_t>(claim_.rules & rule::flags);
        result_.verdict = static_cast<uint8_t>(verdict());
    }

  private:
    bool has(unsigned rules) const { return (claim_.rules & rules) != 0; }

    onesum_verdict verdict() {
        if (has(rule::malformed)) {
            result_.covered[0] = result_.covered[1] = {result_.offset, 0};
            return ONESUM_VERDICT_MALFORMED;
        }
        if (has(rule::unused)) return ONESUM_VERDICT_ABSENT;

        const bool whole = claim_.reason == ONESUM_REASON_NONE;
        if (stored_ == 0 && has(rule::zero_absent | rule::zero_illegal)) {
            if (whole) expect(total());
            return has(rule::zero_absent) ? ONESUM_VERDICT_ABSENT : ONESUM_VERDICT_ILLEGAL_ZERO;
        }
        if (!whole) return unverifiable(claim_.reason);
        const bool presumed = has(rule::tso) && !(walk_.options.flags & ONESUM_PACKET_JUDGE_TSO);
        if (!presumed && is_good()) return ONESUM_VERDICT_GOOD;
        if (has(rule::offload) && is_partial()) {
            if (presumed) expect(total());
            return ONESUM_VERDICT_PARTIAL;
        }
        if (presumed) return unverifiable(ONESUM_REASON_PRESUMED_TSO);
        if (is_good_once_completed()) {
            result_.expected = stored_;
            return ONESUM_VERDICT_PARTIAL;
        }
        if (stored_ == 0 && has(rule::ipv4_header) && walk_.options.flags & ONESUM_PACKET_IGNORE_ZERO_IPV4)
            return ONESUM_VERDICT_PARTIAL;
        return ONESUM_VERDICT_BAD;
    }

    onesum_verdict unverifiable(uint8_t reason) {
        result_.reason = reason;
        return ONESUM_VERDICT_UNVERIFIABLE;
    }

    // Sums all that is covered, the stored value among it, and notes the right one either way.
    bool is_good() {
        const uint32_t sum = total();
        if (onesum_fold(sum) == 0 || is_good_otherwise(sum)) {
            result_.expected = stored_;
            result_.flags |= ONESUM_RESULT_EXPECTED;
            return true;
        }
        expect(sum);
        return false;
    }

    // The second readings that receivers accept.
    bool is_good_otherwise(uint32_t sum) {
        if (has(rule::maybe_pseudo) && onesum_fold(onesum_add(sum, pseudo(claim_.length))) == 0) {
            result_.flags |= ONESUM_RESULT_PSEUDO;
            return true;
        }
        if (claim_.whole == 0) return false;
        const onesum_packet_range &first = result_.covered[0];
        sum = onesum_add(sum, partial({first.offset + first.size, claim_.whole - first.size}));
        if (has(rule::pseudo)) sum = onesum_add(onesum_sub(sum, pseudo(claim_.length)), pseudo(claim_.whole));
        if (onesum_fold(sum) != 0) return false;
        result_.covered[0].size = claim_.whole;
        return true;
    }

    // The pseudo-header's sum alone, not complemented: over its own length, that of what was captured, or 0 as
    // a network card wants it that will cut segments. Of GRE, which has none, it is 0.
    bool is_partial() const {
        if (!has(rule::pseudo)) return stored_ == 0;
        const auto holds = [this](size_t length) {
            return stored_ == static_cast<uint16_t>(~onesum_fold(pseudo(length)));
        };
        return holds(claim_.length) || holds(walk_.bytes.size() - result_.covered[0].offset) || holds(0);
    }

    // Whether it is right as soon as a network card has completed those further in that were left to it. What
    // these cover will sum to a known value, so that a sender can store the outer ones beforehand, as Linux
    // does.
    bool is_good_once_completed() const {
        bool waits = false;
        uint32_t change = 0;
        const onesum_packet_range &range = result_.covered[0];
        for (unsigned i = walk_.count(); &walk_[--i] != &claim_;) {
            const onesum_packet_result &inner = *walk_[i].result;
            constexpr unsigned settled = ONESUM_RESULT_QUOTED | ONESUM_RESULT_FILLED;
            if (inner.verdict != ONESUM_VERDICT_PARTIAL || inner.flags & settled ||
                inner.offset + 2 > range.offset + range.size)
                continue;
            const size_t place = inner.offset - range.offset;
            change = onesum_block_sub(onesum_block_add(change, inner.expected, place), inner.stored, place);
            waits = true;
        }
        const uint16_t completed = onesum_replace_diff(result_.expected, change);
        return waits && onesum_fold(onesum_sub(completed, stored_)) == 0;
    }

    // Notes the value that belongs in the field, from the sum over all that is covered with the stored one.
    void expect(uint32_t sum) {
        uint16_t value = onesum_fold(onesum_sub(sum, stored_));
        // Taking away keeps only the congruence. What is left is 0 only if there is nothing but zeros, which
        // a pseudo-header never is; its checksum is then 0xffff, and 0 for any other multiple of 0xffff.
        if (value == 0 || value == 0xffff) value = !has(rule::pseudo) && all_zero_but_the_field() ? 0xffff : 0;
        result_.expected = value == 0 && has(rule::ones_for_zero) ? 0xffff : value;
        result_.flags |= ONESUM_RESULT_EXPECTED;
    }

    bool all_zero_but_the_field() {
        const onesum_packet_range &first = result_.covered[0];
        const size_t behind = result_.offset + 2;
        return partial({first.offset, result_.offset - first.offset}) == 0 &&
               partial({behind, first.offset + first.size - behind}) == 0 && partial(result_.covered[1]) == 0;
    }

    uint32_t total() {
        uint32_t sum = has(rule::pseudo) ? pseudo(claim_.length) : 0;
        sum = onesum_add(sum, partial(result_.covered[0]));
        return result_.covered[1].size == 0 ? sum : onesum_add(sum, partial(result_.covered[1]));
    }

    uint32_t partial(const onesum_packet_range &range) {
        const Summed &before = walk_.before;
        if (range.offset == before.range.offset && range.size == before.range.size) return before.sum;
        walk_.summed += range.size;
        return walk_.bytes.partial(range.offset, range.size, 0);
    }

    uint32_t pseudo(size_t length) const {
        return onesum_add(claim_.pseudo, onesum_network32(static_cast<uint32_t>(length)));
    }

    Walk &walk_;
    const Claim &claim_;
    onesum_packet_result &result_;
    const uint16_t stored_;
};

}  // namespace

void judge(Walk &walk, const Claim &claim) { Judge(walk, claim).run(); }

}  // namespace onesum::packet
