"""Proves the arithmetic of the library for all inputs. SPDX-License-Identifier: MIT

usage: prove.py [--prove | --compare] [--inputs N] [--emulated FOLDER] [--abort] STEPS

Each proof is of a model in models.py, and each model is also run on N random inputs (a million) beside the library's own
function, which the program STEPS calls (steps.cc); with --emulated also on other processors, by those of build folders below
FOLDER. The two must agree bit for bit. A line for each; the last counts them.

What is proved of a sum is that it is congruent to the exact integer sum modulo 2^n - 1 for an n of 16, 32 or 64
(0xffff divides all three), and 0 only where that is 0. Both go through one step after the other, so a chain is proved
link by link. The difference is shown to be a multiple by naming it, out of a few: no division for the solver, so that a
proof of hundreds of bits takes a moment.
"""
import argparse
import shlex
import subprocess
import sys
import time

import numpy
import z3

import models
import word as words_of
from word import Word, constant, integer

parser = argparse.ArgumentParser()
parser.add_argument('steps')
parser.add_argument('--emulated', metavar='FOLDER')
parser.add_argument('--abort', action='store_true', help='end at the first failure')
parser.add_argument('--inputs', type=int, default=1_000_000)
parser.add_argument('--prove', action='store_true')
parser.add_argument('--compare', action='store_true')
arguments = parser.parse_args()

counts = {'passed': 0, 'failed': 0, 'skipped': 0}


def report(outcome, kind, name, said):
    counts[outcome] += 1
    print(f'{outcome.upper() if outcome != "passed" else "":7} {kind:8} {name}: {said}', flush=True)
    if outcome == 'failed' and arguments.abort:
        sys.exit(1)


# ---- Proofs ----------------------------------------------------------------------------------------------------


def word(name, bits):
    return Word(bits, z3.BitVec(name, bits))


def words(name, count, bits=64):
    return [word(f'{name}{i}', bits) for i in range(count)]


def solver_for(claim, assumed):
    """For terms of bits, or of integers with what is known of them."""
    whole = z3.And(z3.Not(claim), *assumed)
    facts, words_of.facts = words_of.facts, []
    solver = z3.SolverFor('QF_LIA' if facts else 'QF_BV')
    solver.set('timeout', 600_000)
    solver.add(whole, *facts)
    return solver


def prove(name, claim, *assumed):
    """There are no inputs for which the assumptions hold and the claim does not."""
    solver = solver_for(claim, assumed)
    start = time.monotonic()
    found = solver.check()
    said = f'{time.monotonic() - start:.1f} s'
    if found == z3.unsat:
        report('passed', 'proved', name, said)
    else:
        report('failed', 'proved', name, f'{solver.model()}' if found == z3.sat else f'undecided after {said}')


def tight(name, claim, *assumed):
    """Beyond the bound, it does fail: there are such inputs."""
    found = solver_for(claim, assumed).check() == z3.sat
    report('passed' if found else 'failed', 'tight', name, 'a counterexample exists' if found else 'there is none')


WIDE = 128


def wide(term):
    """As an integer: no sum of bit vectors below can reach 2^128."""
    value = term.value if isinstance(term, Word) else term
    return value if z3.is_int(value) else z3.ZeroExt(WIDE - value.size(), value)


def exact(*terms):
    first, *others = map(wide, terms)
    return sum(others, first)


def sums(result, total, n, most, base=0):
    """`result` is `total` less f times 2^n - 1, where f is `base` and at most `most` more; and 0 only where that is 0."""
    base = wide(base) if isinstance(base, Word) else base
    if z3.is_bv(total):  # by a shift, which costs the solver less than a product
        base = base if z3.is_bv(base) else z3.BitVecVal(base, WIDE)
        products = [(base + more << n) - base - more for more in range(most + 1)]
    else:
        products = [(base + more) * ((1 << n) - 1) for more in range(most + 1)]
    congruent = z3.Or(*[total == wide(result) + product for product in products])
    return z3.And(congruent, z3.Implies(wide(result) == 0, total == 0))


FULL = 1 << 64


def integers(count, bits=64):
    return [integer(bits) for _ in range(count)]


def flag():
    return integer(1).to(64)


def prove_algebra():
    s, a, b = word('s', 32), word('a', 32), word('b', 32)
    prove('fold: the complement of a sum', sums(~models.fold(s), exact(s), 16, 1, s >> 16))
    prove('fold: the same for every sum that is congruent and not 0',
          models.fold(s).value == models.fold(s + 0xffff).value, s.value != 0, z3.ULE(s.value, 0xffffffff - 0xffff))
    tight('fold: not for 0', models.fold(s).value == models.fold(s + 0xffff).value, s.value == 0)
    prove('add', sums(models.add(a, b), exact(a, b), 32, 1))
    prove('sub: a + (2^32 - 1 - b), so 0 for 0 less all ones only', sums(models.sub(a, b), exact(a, ~b), 32, 1))
    undone = models.sub(models.add(a, b), b)
    prove('sub undoes add, but for the two zeros', undone.value == a.value, a.value != 0, ~a.value != 0)
    prove('rotate: 256 times the sum', sums(models.rotate(s), wide(s) << 8, 32, 0, s >> 24))
    prove('block_add at an even offset', sums(models.block_add(a, b, False), exact(a, b), 32, 1))
    prove('block_add at an odd offset', sums(models.block_add(a, b, True), exact(a) + (wide(b) << 8), 32, 1, b >> 24))
    for odd in False, True:
        undone = models.block_sub(models.block_add(a, b, odd), b, odd)
        prove(f'block_sub undoes block_add at an {"odd" if odd else "even"} offset, but for the two zeros',
              undone.value == a.value, a.value != 0, ~a.value != 0)

    x, y, w = words('x', 3)
    prove('fold64', sums(models.fold64(x), exact(x), 32, 1, x >> 32))
    i = integers(3)
    prove('add64', sums(models.add64(*i), exact(*i), 64, 2))
    prove('add64: the same without a carry flag', models.add64(x, y, w).value == models.add64_portable(x, y, w).value)

    total, a4, b4 = integer(64), integers(2), integers(2)
    prove('add_addresses', sums(models.add_addresses(total, a4, b4), exact(total, *a4, *b4), 64, 4))
    five = integers(5, 32)
    prove('sum20', sums(models.sum20(five), exact(*five), 32, 4))
    five = integers(5, 32)
    prove('sum20: exact before its fold without a carry flag', exact(models.sum20_portable_sum(five)) == exact(*five))
    prove('fold_udp: 0xffff for a computed 0, else as fold',
          models.fold_udp(s).value == z3.If(models.fold(s).value == 0, z3.BitVecVal(0xffff, 16), models.fold(s).value))
    first, second = words('header', 2)
    prove('headers in vectors: the two words of 64 bits', sums(models.add_word(first, second), exact(first, second), 64, 1))
    # Then fold64 and add, of these.

    # The updates of RFC 1624: what a checksum over any other bytes, of sum `rest`, becomes. Any rest is congruent to one
    # of 16 bits that is 0 only where it is. Where everything is 0 afterwards the update gives the other zero. Since fold
    # is the same for all congruent sums that are not 0, it is enough that the sum before it is one.
    rest, before, after = word('rest', 16), word('before', 16), word('after', 16)
    check = models.fold(rest.to(32) + before.to(32))
    same = models.replace16(check, before, after).value == models.fold(rest.to(32) + after.to(32)).value
    prove('replace16 is the sum anew, where not all becomes 0', same, z3.Or(rest.value != 0, after.value != 0))
    tight('replace16: where all becomes 0', same, rest.value == 0, after.value == 0)

    stored, diff = word('stored', 16), word('diff', 32)
    prove('replace_diff: adds the difference to the complement of the checksum',
          sums(models.add((~stored).to(32), diff), exact(~stored, diff), 32, 1))
    check = models.fold(models.add(rest.to(32), a))
    prove('replace32: the sum before its fold is never 0',
          models.add((~check).to(32), models.sub(b, a)).value != 0)
    stored, before, after = integer(16), integer(32), integer(32)
    prove('replace32: and adds what came and the complement of what went',
          sums(models.add((~stored).to(32), models.sub(after, before)), exact(~stored, after, ~before), 32, 2))
    same = models.replace32(check, a, b).value == models.fold(models.add(rest.to(32), b)).value
    tight('replace32: where all becomes 0', same, rest.value == 0, b.value == 0)

    stored, before, after = integer(16), integers(2), integers(2)
    prove('replace128: adds what came and the complement of what went',
          sums(models.replace128_sum(stored, before, after), exact(~stored, *after, ~before[0], ~before[1]), 64, 4))

    stored, diff = word('stored', 16), word('diff', 32)
    prove('replace_diff_udp: 0 just where it was', (models.replace_diff_udp(stored, diff).value == 0) == (stored.value == 0))

    five = integers(5, 32)
    prove('pseudo_ipv4: exact before its fold', exact(models.pseudo_ipv4_sum(*five)) == exact(*five))
    src, dst, (length, protocol, total) = integers(2), integers(2), integers(3, 32)
    prove('pseudo_ipv6, before its fold', sums(models.pseudo_ipv6_sum(src, dst, length, protocol, total),
                                               exact(*src, *dst, length, protocol, total), 64, 4))


def not_full(total, carry):
    return z3.Or(total.value != (1 << 64) - 1, carry.value == 0)


def prove_chains():
    # A sum and its carry, as one number: with the two never at their highest both, that holds after every word.
    total, w, carry = integer(64), integer(64), flag()
    after, out = models.adc(total, w, carry)
    prove('adc: exact with its carry', exact(after) + wide(out) * FULL == exact(total, w, carry))
    total, w, carry = integer(64), integer(64), flag()
    after, out = models.adc(total, w, carry)
    prove('a chain of adc, from word to word: congruent, 0 only of 0, sum and carry never both full', z3.And(
        exact(after, out) + wide(out) * (FULL - 1) == exact(total, w, carry),
        z3.Implies(exact(after, out) == 0, exact(total, w, carry) == 0), not_full(after, out)), not_full(total, carry))
    total, carry = integer(64), flag()
    prove('a chain of adc: its last carry is not lost',
          exact(models.carried(total, carry)) == exact(total, carry), not_full(total, carry))
    total, carry = integer(64), flag()
    tight('a chain of adc: its last carry, were both full', exact(models.carried(total, carry)) == exact(total, carry))

    for count in range(8):
        seed, parts = integer(32), [integer(8 * part) for part in (4, 2, 1) if count & part]
        prove(f'jump_table: a tail of {count} bytes is exact before its fold',
              exact(models.jump_table_short_tail(seed.to(64), parts)) == exact(seed, *parts))
    seed, eight = word('seed', 32), words('eight', 1)
    prove('jump_table: just 8 bytes', sums(models.jump_table(seed, eight, []), exact(seed, *eight), 32, 2, eight[0] >> 32))

    total, small, seven = integer(64), [integer(8), integer(16), integer(32)], integers(7)
    prove('adc, adx: the tail of 0 to 63 bytes, before its fold',
          sums(models.tail_sum(total, *small, seven), exact(total, *small, *seven), 64, 8))

    # A carry into the next word or into the count weighs 1 there, which is 2^64 less 2^64 - 1.
    total, carries, four = integer(64), integer(64), integers(4)
    after, counted = models.adc_words(total, carries, four)
    prove('adc: four words into one sum, with the count of carries',
          sums(exact(after, counted), exact(total, carries, *four), 64, 4), carries.value < FULL - 1)
    # Each turn of 128 bytes gives at most 4 carries: below 2^64 bytes, at most 2^59, and the end adds a few.
    for bound in True, False:
        first, second, others, carries, carry = integer(64), integer(64), integers(2), integer(64), flag()
        claim = sums(models.adc_join(first, second, carry, others, carries),
                     exact(first, second, carry, *others, carries), 64, 4)
        if bound:
            prove('adc: four sums, the last carry and the count into one', claim, carries.value <= 2**60)
        else:
            tight('adc: the same, were the count full', claim)

    two, flags, w = integers(2), [flag(), flag()], integers(2)
    after, out = models.adx_turn(two, flags, w)
    prove('adx: a word by each flag: each chain is one, alone', z3.And(*[
        z3.And(exact(s, f) + wide(f) * (FULL - 1) == exact(t, x, g), not_full(s, f))
        for s, f, t, x, g in zip(after, out, two, w, flags)]), *map(not_full, two, flags))
    two, flags = integers(2), [flag(), flag()]
    prove('adx: two sums and their flags into one', sums(models.adx_end(two, flags), exact(*two, *flags), 64, 2),
          *map(not_full, two, flags))

    two, carries, last = integers(2), integer(64), integers(8)
    after, counted = models.copy_adc_turn(two, carries, last)
    prove('adc, copying: eight words into two sums, with the count of carries',
          sums(exact(*after, counted), exact(*two, carries, *last), 64, 8), carries.value < FULL - 2)
    two, carries = integers(2), integer(64)
    prove('adc, copying: two sums and the count of carries into one',
          sums(models.copy_adc_end(two, carries), exact(*two, carries), 64, 2), carries.value <= 2**59)
    total, small, seven = integer(64), [integer(8), integer(16), integer(32)], integers(7)
    prove('adc, adx, copying: the tail of 0 to 63 bytes, before its fold', sums(
        models.copy_tail_sum(total, *small, seven[0], seven[1:3], seven[3:]), exact(total, *small, *seven), 64, 9))


def prove_vectors():
    # Total and high: the invariant is that the total is all of the words, and the high all of their high halves, each
    # modulo 2^64; then the value is the exact sum of the halves as long as that is below 2^64.
    total, high, x = word('total', 64), word('high', 64), word('x', 64)
    lows, highs = z3.BitVec('lows', WIDE), z3.BitVec('highs', WIDE)
    modulus = (1 << 64) - 1
    small = [z3.ULT(lows, 1 << 90), z3.ULT(highs, 1 << 90)]

    def holds(total, high, lows, highs):
        return z3.And(wide(total) == (lows + (highs << 32)) & modulus, wide(high) == highs & modulus)

    next_total, next_high = models.total_and_high(total, high, x)
    prove('total and high: adding a word keeps what they stand for', holds(
        next_total, next_high, lows + (wide(x) & 0xffffffff), highs + z3.LShR(wide(x), 32)),
        holds(total, high, lows, highs), *small)
    value = wide(models.total_and_high_value(total, high))
    prove('total and high: exact below 2^64', value == lows + highs, holds(total, high, lows, highs),
          z3.ULT(lows + highs, 1 << 64), *small)
    tight('total and high: at 2^64', value == lows + highs, holds(total, high, lows, highs),
          lows + highs == 1 << 64, *small)
    # 2^32 + 1 halves of at most 2^32 - 1 come to 2^64 - 1, just below; one more does not.
    halves = z3.BitVec('halves', WIDE)
    prove('total and high: 2^32 + 1 words of 32 bits are always below',
          z3.ULT((halves << 32) - halves, 1 << 64), z3.ULE(halves, 2**32 + 1))
    tight('total and high: one word more', z3.ULT((halves << 32) - halves, 1 << 64), z3.ULE(halves, 2**32 + 2))

    # The dot product: a 32-bit lane lacks 65536 for each vector.
    lane, first, second = word('lane', 32), word('first', 16), word('second', 16)
    sum_, count = z3.BitVec('sum', WIDE), word('count', 32)
    small = z3.ULT(sum_, 1 << 60)

    def stands_for(lane, sum_, count):
        return wide(models.dot_product_value(lane, count)) == sum_ & 0xffffffff

    prove('dot product: adding a vector keeps what the lane stands for', stands_for(
        models.dot_product(lane, first, second), sum_ + exact(first, second), count + 1), stands_for(lane, sum_, count), small)
    prove('dot product: a vector of zeros that is counted adds nothing', models.dot_product_value(
        models.dot_product(lane, Word(16, z3.BitVecVal(0, 16)), Word(16, z3.BitVecVal(0, 16))), count + 1).value ==
        models.dot_product_value(lane, count).value)
    vectors = z3.BitVec('vectors', WIDE)
    most = ((vectors << 16) - vectors) << 1  # each adds two words of at most 0xffff
    within = [z3.ULE(sum_, most), stands_for(lane, sum_, count)]
    value = wide(models.dot_product_value(lane, count))
    prove('dot product: exact up to 32768 vectors', value == sum_, z3.ULE(vectors, 32768), *within)
    tight('dot product: 32769 vectors', value == sum_, z3.ULE(vectors, 32769), *within)

    rest = word('rest', 64)
    prove('the end of a block at an odd offset: 64 bits rotated by 8', sums(rest.rotated_left(8), wide(rest) << 8, 64, 0, rest >> 56))
    right = rest.rotated_left(56)
    prove('a vector that ends with the buffer: rotated back by 8', sums(rest, wide(right) << 8, 64, 0, right >> 56))


def prove_generic():
    # A block has at most 2^28 words of 32 bits, and both sums together all of them.
    even, odd, eight = integer(64), integer(64), integers(8, 32)
    turn = models.generic_turn(even, odd, eight)
    prove('generic: a turn is exact', exact(*turn) == exact(even, odd, *eight), exact(even, odd) <= 2**60)
    for most, check in (2**28, prove), (2**32 + 2, tight):
        seed, even, odd, seven, two, one = integer(32), integer(64), integer(64), integers(7, 32), integer(16), integer(16)
        check(f'generic: the end of a block of {"2^28" if check is prove else "2^32 + 2"} words is exact before its fold',
              exact(models.generic_end(seed, even, odd, seven, two, one)) == exact(seed, even, odd, *seven, two, one),
              exact(even, odd) <= most * (2**32 - 1))


def prove_arm64():
    # A chain of its own, link by link (see above), ends with sum and carry never both full; and joins another sum so.
    total, inner, carry = integer(64), integer(64), flag()
    after, out = models.adc(total, inner, carry)
    prove('fused: a chain joins the sum, and sum and carry are never both full', z3.And(
        exact(after, out) + wide(out) * (FULL - 1) == exact(total, inner, carry),
        z3.Implies(exact(after, out) == 0, exact(total, inner, carry) == 0), not_full(after, out)), not_full(inner, carry))
    total, chained = integer(64), integers(4)
    prove('fused: all of it, for 32 bytes', sums(models.fused_chain(total, chained), exact(total, *chained), 64, 5))
    total, chained = integer(64), integers(4)
    after, carry = models.fused_join(total, chained)
    prove('fused: what is left over joins the sum, for 32 bytes', z3.And(
        sums(exact(after, carry), exact(total, *chained), 64, 5), not_full(after, carry)))
    total, carry = word('total', 64), word('carry', 64)
    claim = sums(models.fused_fold(total, carry), exact(total, carry), 32, 1, total >> 32)
    prove('fused: the fold takes the carry in', claim, z3.ULE(carry.value, 1), not_full(total, carry))
    tight('fused: the fold, were both full', claim, z3.ULE(carry.value, 1))
    eight, size = word('eight', 64), word('size', 64)
    for left in range(8):
        prove(f'fused: the last {left} bytes of 8', models.fused_last(eight, size).value ==
              ((eight >> (64 - 8 * left)).value if left else z3.BitVecVal(0, 64)), (size & 7).value == left)
    seed, parts = integer(32), [integer(32), integer(16), integer(8)]
    prove('fused: seed and small parts are exact', exact(seed.to(64) + parts[0].to(64) + parts[1].to(64) + parts[2].to(64)) ==
          exact(seed, *parts))

    # At most 4 GiB a round: 2^30 words of 32 bits, in all lanes together.
    lane, x = word('lane', 64), word('x', 64)
    pair = exact(models.neon_pairs(lane, x)) == exact(lane, x.to(32), x >> 32)
    prove('neon: a pair of words is exact up to 4 GiB', pair, z3.ULE(lane.value, 2**30 * (2**32 - 1)))
    tight('neon: a pair of words, beyond 2^32 words', pair, z3.ULE(lane.value, (2**32 + 1) * (2**32 - 1)))
    prove('neon: so is one word', exact(models.neon_halves(lane, x.to(32))) == exact(lane, x.to(32)),
          z3.ULE(lane.value, 2**30 * (2**32 - 1)))
    total, chained = integer(64), integers(4)
    prove('neon: 32 bytes through general registers', sums(models.neon_turn(total, chained), exact(total, *chained), 64, 4))
    total, vectors = integer(64), integer(64)
    prove('neon: vectors and general registers, before the fold',
          sums(models.carried(*models.adc(total, vectors, models.zero_of(total))), exact(total, vectors), 64, 1))


def prove_any_length():
    """sve and rvv, whose vectors have any length"""
    # Words of 16 bits in all lanes together, before four more are added: 4 GiB have 2^31.
    most = (FULL - 1) // 0xffff
    for count, check in (most - 4, prove), (most - 3, tight):
        lane, x = word('lane', 64), word('x', 64)
        four = [(x >> at).to(16) for at in (0, 16, 32, 48)]
        check(f'sve: udot is exact {"up to" if check is prove else "beyond"} 2^48 + 2^32 + 2^16 + 1 words',
              exact(models.sve_dot(lane, x)) == exact(lane, *four), z3.ULE(lane.value, count * 0xffff))
    # A total and its upper halves stand for an exact sum of lower halves and one of upper halves: see total and high.
    lane, total, high, x = (word(name, 64) for name in ('lane', 'total', 'high', 'x'))
    prove('sve: totals and upper halves are those of total and high', z3.And(*[
        ours.value == theirs.value for ours, theirs in zip(
            (*models.sve_total(total, high, x), models.sve_value(lane, total, high)),
            (*models.total_and_high(total, high, x), lane + models.total_and_high_value(total, high)))]))
    n, at, vector = word('n', 16), word('at', 16), word('vector', 16)
    within = [z3.UGE(vector.value, 16), z3.ULE(vector.value, 256), (vector & 15).value == 0, z3.ULE(n.value, (vector << 2).value)]
    parts = models.sve_block(n, vector)
    prove('sve: four vectors of 16 to 256 bytes have just the bytes that are left', sum(
        (z3.If(z3.And(z3.ULE(place.value, at.value), z3.ULT((at - place).value, there.value)), ONE, NONE)
         for place, there, _ in parts), NONE) == z3.If(z3.ULT(at.value, n.value), ONE, NONE), *within)
    prove('sve: each begins at an even place, and what it lacks are zeros', z3.And(*[
        z3.And((place & 1).value == 0, (there + absent).value == vector.value) for place, there, absent in parts]), *within)

    # At most 4 GiB a round: 2^30 words of 32 bits, in all lanes together; and a seed.
    for words_, check in (2**30, prove), (2**32 + 2, tight):
        lane, x = word('lane', 64), word('x', 32)
        check(f'rvv: a word into its lane is exact {"up to 4 GiB" if check is prove else "no more beyond 2^32 + 1 words"}',
              exact(models.rvv_words(lane, x)) == exact(lane, x), z3.ULE(lane.value, (words_ - 1) * (2**32 - 1)))
        seed, lanes = word('seed', 32), word('lanes', 64)
        check(f'rvv: the lanes of {"4 GiB" if check is prove else "2^32 + 2 words"} and the sum before them are exact',
              exact(seed.to(64) + lanes) == exact(seed, lanes), z3.ULE(lanes.value, (words_ - 1) * (2**32 - 1)))
    total, seed, lanes = word('total', 64), word('seed', 32), word('lanes', 64)
    prove('rvv: the fold', sums(models.rvv_fold(total), exact(total), 32, 1, total >> 32))
    joined = seed.to(64) + lanes
    prove('rvv: the end of a round', sums(models.rvv_join(seed, lanes), exact(seed, lanes), 32, 1, joined >> 32),
          z3.ULE(lanes.value, 2**30 * (2**32 - 1)))


ONE, NONE = z3.BitVecVal(1, 8), z3.BitVecVal(0, 8)


def covers(name, parts, at, belongs, *assumed, even=True):
    """Byte `at` lies in just one of the parts where it belongs to what is summed, else in none; and each part begins at an
    even place. A part is (place, whether it is there, bytes)."""
    def here(place, size):
        return z3.And(z3.ULE(place.value, at.value), z3.ULT((at - place).value, size))
    found = [z3.If(z3.And(there.value != 0, here(place, size)), ONE, NONE) for place, there, size in parts]
    places = [z3.Implies(there.value != 0, (place & 1).value == 0) for place, there, size in parts if even and size > 1]
    prove(name, z3.And(sum(found[1:], found[0]) == z3.If(belongs, ONE, NONE), *places), *assumed)


def prove_heads():
    # For each size n at once.
    n, at = word('n', 16), word('at', 16)
    inside = z3.ULT(at.value, n.value)

    def by_bits(mask):
        return [(models.part_place(n, part, mask), models.part_present(n, part), part) for part in (32, 16, 8, 4, 2, 1)]

    covers('adc, adx, ssse3: the parts of 0 to 63 bytes, copying those of all', by_bits(64), at, inside, z3.ULE(n.value, 63))
    covers('adc, adx, ssse3: the parts behind 64 bytes', by_bits(128), at, z3.And(inside, z3.UGE(at.value, (n & 64).value)),
           z3.ULE(n.value, 127))
    covers('fused: the parts of 0 to 64 bytes, copying too', models.fused_parts(n), at, inside, z3.ULE(n.value, 64))
    covers('avx2: the words and bytes of 0 to 64', models.avx2_parts(n), at, inside, z3.ULE(n.value, 64))
    before = word('before', 16)
    for width, what in (64, ''), (16, ', copying'):
        covers(f'avx512{what}: the lanes of 0 to {width} bytes', models.avx512_parts(n, width), at, inside,
               z3.ULE(n.value, width))
        covers(f'avx512{what}: the lanes of 0 to {width} bytes where the vector begins before them',
               models.avx512_parts_from(n, before, width), at, inside, z3.ULE(n.value, width), z3.ULE(before.value, width),
               z3.ULE((n + before).value, width))
    prove('avx512: and a byte of them is at an even place in the vector just where its place and those before are both even',
          ((at + before) & 1).value == ((at & 1) ^ (before & 1)).value)
    total, seed = word('total', 64), word('seed', 32)
    prove('avx512: the sum of a vector, folded with the seed', sums(
        models.masked_fold(total, seed), exact(total, seed), 32, 2, total >> 32), z3.ULT(total.value, 1 << 36))
    # A rotation by 8 where an odd number is before them then puts it right: see odd offsets.

    places = models.copy_places(n)
    union = z3.Or(*[z3.And(z3.ULE(place.value, at.value), z3.ULT(at.value, (place + 16).value)) for place in places])
    within = [z3.ULE(n.value, 64), z3.UGE(n.value, 16)]
    prove('avx2, avx512: four pieces of 16 bytes are just the 16 to 64 bytes that are copied', union == inside,
          *within, z3.ULE(at.value, 200))

    for width, turns in (16, [(4, 3)]), (32, [(8, 7), (8, 3)]), (64, [(4, 3), (8, 3)]):
        spans = models.vectors_parts(n, width)
        found = [z3.If(z3.And(z3.ULE(first.value, at.value), z3.ULT(at.value, end.value)), ONE, NONE) for first, end in spans]
        prove(f'vectors of {width} bytes: whole ones, the last one without what they had, and the odd byte',
              sum(found[1:], found[0]) == z3.If(inside, ONE, NONE), z3.UGE(n.value, width), z3.ULE(n.value, 1 << 14),
              z3.ULE(at.value, 1 << 15))
        for turn, absent in turns:
            prove(f'vectors of {width} bytes, {turn} a turn: at most {absent} are left for the loads without a branch',
                  z3.ULE(models.vectors_left(n, turn, absent).value, absent))
    # DotProductInto: a sum_unaligned() has fewer than 2 * 8192 whole vectors, and counts at most 8 more.
    vectors = word('vectors', 32)
    prove('dot product: a block has no more than 32768 vectors', z3.ULE((vectors + 8).value, 32768),
          z3.ULT(vectors.value, 2 * 8192))
    # Total and high: fewer than 2 * 2^30 bytes, in words of 32 bits.
    prove('total and high: a block has no more than 2^32 + 1 words', z3.ULE((word('bytes', 64) >> 2).value + 16 * 8, 2**32 + 1),
          z3.ULT(word('bytes', 64).value, 2**31))

    # sum_aligned(): `first` below 2^36 and `rest` below 2^62, where the rest begins at an odd place.
    first, rest = word('first', 64), word('rest', 64)
    joined = (first << 8) + rest
    within = [z3.ULT(first.value, 1 << 36), z3.ULT(rest.value, 1 << 62)]
    prove('aligned: a first part and a rest at an odd offset, rotated together', exact(joined.rotated_left(8)) +
          (wide(joined >> 56) << 64) - wide(joined >> 56) == exact(first) + (wide(rest) << 8) + (wide(first) << 16) - wide(first),
          *within)
    prove('aligned: and 0 only where both are', z3.Implies(joined.value == 0, z3.And(first.value == 0, rest.value == 0)), *within)


# ---- Beside the library ------------------------------------------------------------------------------------------

random = numpy.random.default_rng(20)


def numbers(bits, count):
    """Random words, a third of them where carries begin and end."""
    value = random.integers(0, 1 << 64, count, dtype=numpy.uint64) >> numpy.uint64(64 - bits)
    highest = numpy.uint64((1 << bits) - 1)
    kind = random.integers(0, 12, count, dtype=numpy.uint8)
    value[kind == 0] = 0
    value[kind == 1] = highest
    value[kind == 2] = highest - numpy.uint64(1)
    value[kind == 3] = 1
    return value


class Steps:
    """The library's own steps, in a process that answers questions."""

    def __init__(self, name, command):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.name = name
        if self.vector_bytes():
            self.name += f', vectors of {8 * self.vector_bytes()} bits'

    def vector_bytes(self):
        """How long the vectors of an architecture are that leaves it open; 0 where it does not, or there are none."""
        return int(self.ask('step vector_bytes 1 1', 1, numpy.zeros(1, numpy.uint64))[0])

    def ask(self, line, count, *arrays):
        """What steps.cc answers: `count` results, or None where there is no such step or kernel."""
        self.process.stdin.write(line.encode() + b'\n')
        for array in arrays:
            self.process.stdin.write(array.tobytes())
        self.process.stdin.flush()
        if self.process.stdout.read(1) != b'\0':
            return None
        return numpy.frombuffer(self.process.stdout.read(8 * count), numpy.uint64)


steps = None


def compare_step(name, model, *bits, as_folded=lambda sums: sums):
    count = arguments.inputs
    inputs = [numbers(size, count) for size in bits]
    out = steps.ask(f'step {name} {count} {len(bits)}', count, numpy.stack(inputs, axis=1))
    given = [Word(size, value) for size, value in zip(bits, inputs)]
    wrong = count if out is None else int(numpy.count_nonzero(as_folded(model(*given).value) != as_folded(out)))
    report('failed' if wrong else 'passed', 'compared', f'{steps.name}: {name}', f'{count} inputs, {wrong} differ')


def compare_algebra():
    compare_step('fold', models.fold, 32)
    compare_step('fold_udp', models.fold_udp, 32)
    for name in 'add', 'sub':
        compare_step(name, getattr(models, name), 32, 32)
    compare_step('rotate', models.rotate, 32)
    for name in 'block_add', 'block_sub':
        compare_step(name + '_even', lambda a, b, f=getattr(models, name): f(a, b, False), 32, 32)
        compare_step(name + '_odd', lambda a, b, f=getattr(models, name): f(a, b, True), 32, 32)
    compare_step('fold64', models.fold64, 64)
    compare_step('add64', models.add64, 64, 64, 64)
    compare_step('add64', models.add64_portable, 64, 64, 64)
    compare_step('add_addresses', lambda t, a, b, c, d: models.add_addresses(t, [a, b], [c, d]), 64, 64, 64, 64, 64)
    for model in (lambda *five: models.sum20(five)), (lambda *five: models.fold64(models.sum20_portable_sum(five))):
        compare_step('sum20', model, *[32] * 5, as_folded=canonical)
    compare_step('replace_diff', models.replace_diff, 16, 32)
    compare_step('replace_diff_udp', models.replace_diff_udp, 16, 32)
    compare_step('replace16', models.replace16, 16, 16, 16)
    compare_step('replace32', models.replace32, 16, 32, 32)
    compare_step('replace128', lambda c, f, g, t, u: models.replace128(c, [f, g], [t, u]), 16, 64, 64, 64, 64)
    # The protocol is a byte, the last one of its word in memory.
    compare_step('pseudo_ipv4', lambda s, d, n, p, t: models.pseudo_ipv4(s, d, n, last_byte(p), t), 32, 32, 32, 32, 32)
    compare_step('pseudo_ipv6', lambda a, b, c, d, n, p, t: models.pseudo_ipv6([a, b], [c, d], n, last_byte(p), t),
                 64, 64, 64, 64, 32, 32, 32)
    compare_step('ipv4_header', lambda *five: models.ipv4_header([begun(five[0]), *five[1:]]), *[32] * 5)
    compare_step('ipv4_headers', lambda *five: models.fold(models.headers_sum(
        begun(five[0]).to(64) | five[1].to(64) << 32, five[2].to(64) | five[3].to(64) << 32, five[4])), *[32] * 5)


def last_byte(word):
    return word & (0xff000000 if sys.byteorder == 'little' else 0xff)


def begun(word):
    """The first word of a header without options: its first byte in memory is 0x45."""
    return word & ~0xff | constant(word, 32, 0x45)


class Buffers:
    """As many random buffers of one size, as columns of words."""

    def behind(self, size):
        """What is behind the first `size` bytes."""
        rest = Buffers.__new__(Buffers)
        rest.count, rest.size, rest.data, rest.seeds = self.count, self.size - size, self.data[:, size:], self.seeds
        return rest

    def halves(self, at, count):
        """Words of 32 bits."""
        return [self.word(at + 4 * i, 4) for i in range(count)]

    def __init__(self, count, size):
        self.count, self.size = count, size
        room = size // 8 * 8 + 8
        filled = numpy.stack([numbers(64, count) for _ in range(room // 8)], axis=1).view(numpy.uint8)
        self.data = numpy.ascontiguousarray(filled.reshape(count, room)[:, :size])
        self.seeds = numbers(32, count)

    def word(self, at, bytes_):
        column = numpy.zeros((self.count, 8), numpy.uint8)
        column[:, :bytes_] = self.data[:, at:at + bytes_]
        return Word(8 * bytes_, column.view(numpy.uint64).reshape(self.count))

    def words(self, at, count):
        return [self.word(at + 8 * i, 8) for i in range(count)]

    @property
    def seed(self):
        return Word(32, self.seeds)

    def zero(self, bits=64):
        return Word(bits, numpy.zeros(self.count, numpy.uint64))

    def part(self, part, mask):
        """The part of so many bytes, or zeros, as 64-bit words or one shorter one."""
        size = Word(64, numpy.array([self.size], numpy.uint64))
        if not int(models.part_present(size, part).value[0]):
            return [self.zero() for _ in range(part // 8)] if part > 8 else self.zero(8 * part)
        at = int(models.part_place(size, part, mask).value[0])
        return self.words(at, part // 8) if part > 8 else self.word(at, part)


def sum_jump_table(b):
    at = b.size // 8 * 8
    # The run before the blocks takes its words from the last to the first.
    first = b.size // 8 % 8 if b.size > 8 else 0
    run = b.words(0, b.size // 8)
    parts = []
    left = b.size % 8
    order = {7: (6, 4, 0), 6: (4, 0), 5: (4, 0), 4: (0,), 3: (2, 0), 2: (0,), 1: (0,), 0: ()}[left]
    for begin in order:
        width = min(left - begin, 4 if begin == 0 else 2)
        parts.append(b.word(at + begin, 1 << (width.bit_length() - 1)))
    return models.jump_table(b.seed, run[:first][::-1] + run[first:], parts)


def sum_tail(b, total, mask):
    words = [b.part(8, mask), *b.part(16, mask), *b.part(32, mask)]
    return models.tail(total, b.part(1, mask), b.part(2, mask), b.part(4, mask), words)


def sum_adc(b):
    if b.size < 64:
        return sum_tail(b, b.seed.to(64), 64)
    sums, carries, at = [b.seed.to(64), b.zero(), b.zero(), b.zero()], b.zero(), 0
    for at in range(0, b.size // 128 * 128, 128):
        sums, carries = models.adc_turn(sums, carries, b.words(at, 16))
    at = b.size // 128 * 128
    last = b.words(at, 8) if b.size & 64 else [b.zero()] * 8
    return sum_tail_behind(b, models.adc_end(sums, carries, last))


def sum_tail_behind(b, total):
    """The tail of what is behind the turns of 128 bytes."""
    return sum_tail(b.behind(b.size // 128 * 128), total, 128)


def sum_adx(b):
    if b.size < 64:
        return sum_tail(b, b.seed.to(64), 64)
    sums, carries = [b.seed.to(64), b.zero()], [b.zero(), b.zero()]
    turns = b.words(0, b.size // 128 * 16)
    turns += b.words(b.size // 128 * 128, 8) if b.size & 64 else [b.zero()] * 8
    sums, carries = models.adx_turn(sums, carries, turns)
    return sum_tail_behind(b, models.adx_end(sums, carries))


def copy_parts(b, total):
    behind = b.behind(b.size // 64 * 64)
    return models.copy_tail(total, *[behind.part(part, 64) for part in (1, 2, 4, 8, 16, 32)])


def copy_adc(b):
    sums, carries = [b.seed.to(64), b.zero()], b.zero()
    for at in range(0, b.size // 64 * 64, 64):
        sums, carries = models.copy_adc_turn(sums, carries, b.words(at, 8))
    return copy_parts(b, models.copy_adc_end(sums, carries) if b.size >= 64 else sums[0])


def copy_adx(b):
    sums, carries = [b.seed.to(64), b.zero()], [b.zero(), b.zero()]
    if b.size < 64:
        return copy_parts(b, sums[0])
    sums, carries = models.adx_turn(sums, carries, b.words(0, b.size // 64 * 8))
    return copy_parts(b, models.adx_end(sums, carries))


def vectors_of(b, width):
    """The words of the whole vectors, and of the last one, which ends with the last even byte and has the words of the
    others masked, as zeros."""
    even, count = b.size // 2 * 2, (b.size - 1) // width
    whole = [b.words(at, width // 8) for at in range(0, count * width, width)]
    masked = b.data[:, even - width:even].copy()
    masked[:, :(count + 1) * width - even] = 0
    last = Buffers.__new__(Buffers)
    last.count, last.size, last.data, last.seeds = b.count, width, masked, b.seeds
    odd = b.word(b.size - 1, 1).to(64) if b.size % 2 else b.zero()
    return whole + [last.words(0, width // 8)], odd


def by_total_and_high(width):
    def model(b):
        vectors, value = vectors_of(b, width)
        for lane in range(width // 8):
            total, high = b.zero(), b.zero()
            for vector in vectors:
                total, high = models.total_and_high(total, high, vector[lane])
            value = value + models.total_and_high_value(total, high)
        return models.fold64(value + b.seed.to(64))
    return model


def by_dot_product(width):
    def model(b):
        vectors, value = vectors_of(b, width)
        count = Word(32, numpy.full(b.count, len(vectors), numpy.uint64))
        for lane in range(width // 4):
            part = b.zero(32)
            for vector in vectors:
                pair = (vector[lane // 2] >> 32 * (lane % 2)).to(32)
                part = models.dot_product(part, pair.to(16), (pair >> 16).to(16))
            value = value + models.dot_product_value(part, count).to(64)
        return models.fold64(value + b.seed.to(64))
    return model


def canonical(sums):
    """0 for 0, and 1 to 0xffff for every other partial sum."""
    sums = sums.astype(numpy.uint64)
    return numpy.where(sums == 0, sums, (sums - 1) % 0xffff + 1)


def sum_generic(b):
    even, odd, at = b.zero(), b.zero(), b.size // 32 * 32
    for turn in range(0, at, 32):
        even, odd = models.generic_turn(even, odd, b.halves(turn, 8))
    last = b.size % 4
    two = b.word(b.size - last, 2) if last & 2 else b.zero(16)
    one = b.word(b.size - 1, 1).to(16) if last & 1 else b.zero(16)
    return models.fold64(models.generic_end(b.seed, even, odd, b.halves(at, b.size % 32 // 4), two, one))


def parts_of(b, model):
    """Those parts that are there, with what they hold."""
    n = Word(16, numpy.array([b.size], numpy.uint64))
    return [(size, b.words(int(place.value[0]), size // 8) if size > 8 else [b.word(int(place.value[0]), size)])
            for place, there, size in model(n) if there.value[0]]


def by_head(model):
    """A head whose parts are added exactly, in words of at most 32 bits."""
    def run(b):
        total = b.seed.to(64)
        for _, held in parts_of(b, model):
            for one in held:
                total = total + one.to(64)
        return models.fold64(total)
    return run


def by_lanes(b):
    """A head whose bytes are the lanes of a vector, added in words of 32 bits."""
    total = b.zero()
    for at, (_, held) in enumerate(parts_of(b, models.avx512_parts)):
        total = total + (held[0].to(64) << 8 * (at % 4))
    return models.masked_fold(total, b.seed)


def fused_short(b):
    total, words = b.seed.to(64), []
    there = parts_of(b, models.fused_parts)
    for size, held in there:
        if size < 8:
            total = total + held[0].to(64)
        else:
            words += held
    return models.fused_fold(*models.fused_join(total, words + [b.zero()] * (8 - len(words))))


def fused(turn, rest):
    """Turns of so many bytes, in chains of 128; then one chain of `rest` bytes if there are so many, and the rest."""
    def run(b):
        if b.size <= 64:
            return fused_short(b)
        total, at = b.seed.to(64), 0
        for at in range(0, b.size // turn * turn, 128):
            total = models.fused_chain(total, b.words(at, 16))
        at = b.size // turn * turn
        if b.size & rest:
            total = models.fused_chain(total, b.words(at, rest // 8))
            at += rest
        size = Word(64, numpy.full(b.count, b.size, numpy.uint64))
        last = models.fused_last(b.word(b.size - 8, 8), size)
        return models.fused_fold(*models.fused_join(total, [last, *b.words(at, (b.size - at) // 8)]))
    return run


def neon(turn, general, rest, add):
    """Turns of so many bytes, of which the words at `general` go through general registers, by `add`."""
    def run(b):
        if b.size < 1024:
            return rest(b)
        total, vectors = b.seed.to(64), b.zero()
        turns = b.size // turn * turn
        for at in range(0, turns, turn):
            total = add(total, [one for place in general for one in b.words(at + place, 2)])
            for place in range(0, turn, 16):
                if place not in general:
                    first, second = b.words(at + place, 2)
                    vectors = models.neon_pairs(vectors, first)
                    vectors = models.neon_halves(models.neon_halves(vectors, second.to(32)), second >> 32)
        behind = b.behind(turns)
        behind.seeds = models.neon_end(total, vectors).value
        return rest(behind)
    return run


def padded(b, at):
    """The words from a place on, the last one with zeros behind the last byte."""
    return [b.word(place, min(8, b.size - place)).to(64) for place in range(at, b.size, 8)]


def sve_sum(vector):
    """Vectors of so many bytes, of eight a turn, behind 48 bytes for the general registers."""
    def run(b):
        if b.size < 768:
            return fused(256, 128)(b)
        turn = 8 * vector + 48
        sum_, lane, total, high = b.seed.to(64), b.zero(), b.zero(), b.zero()
        for at in range(0, b.size // turn * turn, turn):
            sum_ = models.fused_chain(sum_, b.words(at, 6))
            for place, one in enumerate(b.words(at + 48, vector)):
                if place // (vector // 8) in (3, 7):
                    total, high = models.sve_total(total, high, one)
                else:
                    lane = models.sve_dot(lane, one)
        for one in padded(b, b.size // turn * turn):
            lane = models.sve_dot(lane, one)
        return models.neon_end(sum_, models.sve_value(lane, total, high))
    return run


def sve_copy(b):
    if b.size < 512:
        return fused(512, 256)(b)
    lane = b.zero()
    for one in padded(b, 0):
        lane = models.sve_dot(lane, one)
    return models.neon_end(b.seed.to(64), lane)


def rvv(b):
    """Of any length of vectors: what they add is exact."""
    lanes = b.zero()
    for one in padded(b, 0):
        lanes = models.rvv_words(models.rvv_words(lanes, one.to(32)), (one >> 32).to(32))
    return models.rvv_join(b.seed, lanes)


def compare_kernel(name, what, model, sizes, as_folded=lambda sums: sums):
    each = max(arguments.inputs // len(sizes), 1)
    wrong, done = 0, 0
    for size in sizes:
        b = Buffers(each, size)
        out = steps.ask(f'kernel {name} {what} {each} {size}', each, b.data, b.seeds.astype(numpy.uint32))
        if out is None:
            report('skipped', 'compared', f'{steps.name}: {name}', 'this machine cannot run it')
            return
        wrong += int(numpy.count_nonzero(as_folded(model(b).value) != as_folded(out)))
        done += each
    report('failed' if wrong else 'passed', 'compared', f'{steps.name}: {what} by {name}',
           f'{done} inputs of {sizes[0]} to {sizes[-1]} bytes, {wrong} differ')


def compare_x86_64():
    for what in 'sum', 'copy':
        compare_kernel('generic', what, sum_generic, range(0, 130))
    compare_kernel('jump_table', 'sum', sum_jump_table, range(0, 200))
    compare_kernel('adc', 'sum', sum_adc, range(0, 330))
    compare_kernel('adx', 'sum', sum_adx, range(0, 330))
    compare_kernel('adc', 'copy', copy_adc, range(0, 200))
    compare_kernel('adx', 'copy', copy_adx, range(0, 200))
    compare_kernel('ssse3', 'sum', sum_adc, range(0, 64), canonical)
    for name in 'avx2', 'avx_vnni':
        compare_kernel(name, 'sum', by_head(models.avx2_parts), range(0, 65), canonical)
    for name in 'avx512', 'avx512_vnni':
        compare_kernel(name, 'sum', by_lanes, range(0, 65), canonical)
    # Vectors are added in an order, and by way of an aligned address, that the models don't follow: congruent sums.
    some = range(65, 2048, 61)
    for name, width in ('ssse3', 16), ('avx2', 32), ('avx512', 64):
        compare_kernel(name, 'sum', by_total_and_high(width), some, canonical)
    for name, width in ('avx_vnni', 32), ('avx512_vnni', 64):
        compare_kernel(name, 'sum', by_total_and_high(width), range(65, 257, 7), canonical)
        compare_kernel(name, 'sum', by_dot_product(width), range(257, 2048, 59), canonical)
        compare_kernel(name, 'sum', by_dot_product(width), range(2048, 3100, 67), canonical)


def compare_arm64():
    compare_kernel('generic', 'sum', sum_generic, range(0, 130))
    compare_kernel('fused', 'sum', fused(256, 128), range(0, 600))
    compare_kernel('fused', 'copy', fused(512, 256), range(0, 1100, 3))
    long = range(960, 2200, 41)
    compare_kernel('neon', 'sum', neon(512, [64, 176, 320, 432], fused(256, 128), models.neon_turn), long)
    compare_kernel('neon', 'copy', neon(224, [0, 48, 64, 112, 160, 176], fused(512, 256), models.fused_chain), long)


def compare_sve():
    """Only where vectors are longer than neon's."""
    vector = steps.vector_bytes()
    compare_kernel('sve', 'sum', sve_sum(vector), [*range(700, 2600, 47), *range(4000, 6000, 251)])
    compare_kernel('sve', 'copy', sve_copy, [*range(470, 2600, 43), *range(4000, 6000, 251)])


def compare_rvv():
    compare_kernel('generic', 'sum', sum_generic, range(0, 130))
    # Both ways: what four registers hold, and more; with registers of 64 bytes that is from 257 on.
    for what in 'sum', 'copy':
        compare_kernel('rvv', what, rvv, [*range(0, 530, 3), *range(530, 2600, 67)])


VECTORS = 'rv64,v=true,vext_spec=v1.0,rvv_ta_all_1s=true,vlen='
# Vectors of 512 bits and of 256; of 128 and of 512.
EMULATED = [
    ('aarch64', 'max', [compare_algebra, compare_arm64, compare_sve]),
    ('aarch64', 'max,sve-max-vq=2', [compare_sve]),
    ('riscv64', VECTORS + '128', [compare_algebra, compare_rvv]),
    ('riscv64', VECTORS + '512', [compare_rvv]),
]

if not arguments.compare:
    prove_algebra()
    prove_chains()
    prove_generic()
    prove_arm64()
    prove_any_length()
    prove_vectors()
    prove_heads()
if not arguments.prove:
    steps = Steps('here', shlex.quote(arguments.steps))
    compare_algebra()
    compare_x86_64()
    for architecture, model, compare in EMULATED if arguments.emulated else ():
        steps = Steps(architecture, f'qemu-{architecture}-static -L /usr/{architecture}-linux-gnu -cpu {model} ' +
                      shlex.quote(f'{arguments.emulated}/{architecture}/tests/proof-steps'))
        for one in compare:
            one()
print('{passed} passed, {failed} failed, {skipped} skipped'.format(**counts))
sys.exit(1 if counts['failed'] else 0)
