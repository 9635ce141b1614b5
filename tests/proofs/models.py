"""The arithmetic of the library, step by step as it does it. SPDX-License-Identifier: MIT

Each function stands for the one in the library that its first line names, or for the run of instructions there.
"""
from word import constant

def select(condition, yes, no):
    """`yes` where the condition is 1, `no` where it is 0"""
    mask = zero_of(condition) - condition
    return yes & mask | no & ~mask


# ---- include/onesum/onesum.h ---------------------------------------------------------------------------------


def fold(total):
    """onesum_fold()"""
    return (~(total + total.rotated_left(16)) >> 16).to(16)


def add(a, b):
    """onesum_add()"""
    total = a + b
    return total + total.below(a)


def sub(a, b):
    """onesum_sub()"""
    return add(a, ~b)


def rotate(total):
    """onesum_rotate() at an odd offset"""
    return total << 8 | total >> 24


def block_add(total, block, odd):
    """onesum_block_add()"""
    return add(total, rotate(block) if odd else block)


def block_sub(total, block, odd):
    """onesum_block_sub()"""
    return sub(total, rotate(block) if odd else block)


def fold64(total):
    """onesum_fold64()"""
    return (total + total.rotated_left(32) >> 32).to(32)


def add64(a, b, c):
    """onesum_add64(): the chain of carries where the compiler has it, two comparisons elsewhere"""
    return carried(*chain(a, zero_of(a), [b, c]))


def add64_portable(a, b, c):
    a = a + b
    a = a + a.below(b)
    a = a + c
    return a + a.below(c)


def add_addresses(total, a, b):
    """onesum_add_addresses(), of two words each"""
    return carried(*chain(total, zero_of(total), [*a, *b]))


def sum20(words):
    """onesum_sum20()"""
    return carried(*chain(words[0], zero_of(words[0]), words[1:]))


def sum20_portable_sum(words):
    """The same without a carry flag, up to its fold"""
    return words[0].to(64) + words[1].to(64) + words[2].to(64) + words[3].to(64) + words[4].to(64)


def fold_udp(total):
    """onesum_fold_udp()"""
    check = fold(total)
    return check - check.below(1)


def replace_diff(check, diff):
    """onesum_replace_diff()"""
    return fold(add((~check).to(32), diff))


def replace_diff_udp(check, diff):
    """onesum_replace_diff_udp()"""
    return select(check.below(1), check, fold_udp(add((~check).to(32), diff)))


def replace16(check, before, after):
    """onesum_replace16()"""
    return fold((~check).to(32) + (~before).to(32) + after.to(32))


def replace32(check, before, after):
    """onesum_replace32()"""
    return replace_diff(check, sub(after, before))


def replace128_sum(check, before, after):
    """onesum_replace128(), up to its folds; two words each"""
    total = add64(after[0], after[1], (~check).to(64))
    return add64(total, ~before[0], ~before[1])


def replace128(check, before, after):
    return fold(fold64(replace128_sum(check, before, after)))


def pseudo_ipv4_sum(src, dst, length, protocol, total):
    """onesum_pseudo_ipv4(), up to its fold; length and protocol as they lie in memory"""
    return total.to(64) + src.to(64) + dst.to(64) + length.to(64) + protocol.to(64)


def pseudo_ipv4(src, dst, length, protocol, total):
    return fold64(pseudo_ipv4_sum(src, dst, length, protocol, total))


def pseudo_ipv6_sum(src, dst, length, protocol, total):
    """onesum_pseudo_ipv6(), up to its fold; addresses of two words"""
    rest = total.to(64) + length.to(64) + protocol.to(64)
    return add_addresses(rest, src, dst)


def pseudo_ipv6(src, dst, length, protocol, total):
    return fold64(pseudo_ipv6_sum(src, dst, length, protocol, total))


def ipv4_header(words):
    """onesum_ipv4_header() of five words"""
    return fold(sum20(words))


def headers_sum(first, second, last):
    """eight_at_a_time() and sixteen_at_a_time(), up to their fold: the 16 first bytes of a header as two words, and the
    4 last ones"""
    whole = add_word(first, second)
    return add(fold64(whole), last)


def add_word(a, b):
    total = a + b
    return total + total.below(a)


# ---- Chains of carries -----------------------------------------------------------------------------------------


def zero_of(word):
    return constant(word, word.bits, 0)


def adc(a, b, carry):
    """The instruction: the sum and the carry out of it."""
    first = a + b
    total = first + carry
    return total, first.below(a) | total.below(first)


def chain(total, carry, words):
    for word in words:
        total, carry = adc(total, word, carry)
    return total, carry


def carried(total, carry):
    """adc $0, whose own carry is dropped"""
    return total + carry


# ---- src/asm/x86_64/jump_table.S -------------------------------------------------------------------------------


def jump_table_short_tail(total, parts):
    """From .Lsum_tail to .Lsum_fold: `total` of 64 bits, below 2^32; parts of 4, 2 and 1 bytes or fewer"""
    for part in parts:
        total = total + part.to(64)
    return total


def jump_table(seed, words, parts):
    """onesum_sum_jump_table(): 8-byte words, then the parts of the last 0 to 7 bytes"""
    if len(words) == 1 and not parts:
        low, carry = adc(seed, words[0].to(32), zero_of(seed))
        high, carry = adc(low, (words[0] >> 32).to(32), carry)
        return carried(high, carry)
    total = seed.to(64)
    if words:
        total = fold64(carried(*chain(total, zero_of(total), words))).to(64)
    return fold64(jump_table_short_tail(total, parts)) if parts else total.to(32)


# ---- src/asm/x86_64/carry_chains.S -----------------------------------------------------------------------------


def tail_sum(total, one, two, four, words):
    """onesum_sum_tail, up to its fold; absent parts are 0; `words` those of 8, 16 and 32 bytes"""
    total, carry = adc(total, one.to(64) + two.to(64) + four.to(64), zero_of(total))
    return carried(*chain(total, carry, words))


def tail(total, one, two, four, words):
    return fold64(tail_sum(total, one, two, four, words))


def adc_words(total, carries, words):
    """ADC_WORDS: four words into one sum"""
    total, carry = chain(total, zero_of(total), words)
    return total, carries + carry


def adc_turn(sums, carries, words):
    """A turn of onesum_sum_adc"""
    sums = list(sums)
    for i in range(4):
        sums[i], carries = adc_words(sums[i], carries, words[4 * i:4 * i + 4])
    return sums, carries


def adc_join(first, second, carry, others, carries):
    """The end of .Ladc_64: the second sum's carry goes into the first addition."""
    return carried(*chain(first, carry, [*others, second, carries]))


def adc_end(sums, carries, words):
    """.Ladc_64: 8 words more, or zeros, and the sums into one"""
    first, carries = adc_words(sums[0], carries, words[:4])
    second, carry = chain(sums[1], zero_of(first), words[4:])
    return adc_join(first, second, carry, sums[2:], carries)


def copy_adc_turn(sums, carries, words):
    """A turn of onesum_copy_adc"""
    first, carries = adc_words(sums[0], carries, words[:4])
    second, carries = adc_words(sums[1], carries, words[4:])
    return [first, second], carries


def copy_adc_end(sums, carries):
    return carried(*chain(sums[0], zero_of(carries), [sums[1], carries]))


def copy_tail_sum(total, one, two, four, eight, words16, words32):
    """onesum_copy_tail, up to its fold; absent parts are 0"""
    small = carried(*adc(one.to(64) + two.to(64) + four.to(64), eight, zero_of(total)))
    for words in [small], words16, words32:
        total = carried(*chain(total, zero_of(total), words))
    return total


def copy_tail(*parts):
    return fold64(copy_tail_sum(*parts))


def adx_turn(sums, carries, words):
    """A turn of onesum_sum_adx: even words through the carry flag, odd ones through the overflow flag"""
    first = chain(sums[0], carries[0], words[0::2])
    second = chain(sums[1], carries[1], words[1::2])
    return [first[0], second[0]], [first[1], second[1]]


def adx_end(sums, carries):
    """The end of .Ladx_64: both flags into their sums, and the sums into one"""
    first, second = carried(sums[0], carries[0]), carried(sums[1], carries[1])
    return carried(*adc(first, second, zero_of(first)))


# ---- src/kernels/highway.cc ------------------------------------------------------------------------------------


def total_and_high(total, high, word):
    """TotalAndHigh::add() in one 64-bit lane"""
    return total + word, high + (word >> 32)


def total_and_high_value(total, high):
    """TotalAndHigh::value() in one lane"""
    return total - (high << 32) + high


def dot_product(lane, first, second):
    """DotProduct::add() in one 32-bit lane: two words with the highest bit changed, as signed numbers"""
    def signed(word):
        word = (word ^ 0x8000).to(32)
        return word | (constant(word, 32, 0) - (word >> 15)) << 16

    return lane + signed(first) + signed(second)


def dot_product_value(lane, count):
    """DotProduct::value() in one lane, of `count` vectors"""
    return lane + (count << 16)


# ---- src/kernels/generic.cc ------------------------------------------------------------------------------------


def generic_turn(even, odd, words):
    """A turn of sum_block(): eight words of 32 bits"""
    for i in range(0, len(words), 2):
        even = even + words[i].to(64)
        odd = odd + words[i + 1].to(64)
    return even, odd


def generic_end(seed, even, odd, words, two, one):
    """The end of sum_block() and what sum_all() adds, up to its fold; `two` and `one` are 0 where they are absent"""
    for word in words:
        even = even + word.to(64)
    return seed.to(64) + (even + (odd + two.to(64) + one.to(64)))


# ---- src/asm/aarch64/fused.S -----------------------------------------------------------------------------------


def fused_chain(total, words):
    """begin64, add64 and end_chain: a chain of its own that joins the sum"""
    return carried(*fused_join(total, words))


def fused_join(total, words):
    """The chain of what is left over, or of a short buffer, joins the sum; its carry goes into the fold."""
    return adc(total, *chain(words[0], zero_of(words[0]), words[1:]))


def fused_fold(total, carry):
    """fold, with the carry that comes in"""
    return carried(*adc(total.to(32), (total >> 32).to(32), carry.to(32)))


def fused_last(eight, size):
    """The last 0 to 7 bytes of a buffer, out of its last 8"""
    return (eight >> 1) >> (~(size << 3) & 63)


def fused_parts(n):
    """A buffer of 0 to 64 bytes: (place, whether it is there, bytes) of its parts"""
    less = n - ((n >> 6) << 3)
    parts, at = [], zero_of(n)
    for part in 32, 16, 8:
        parts.append((at, less & part, part))
        at = at + (less & part)
    parts.append((at, n >> 6, 8))
    for part in 4, 2, 1:
        parts.append((at, less & part, part))
        at = at + (less & part)
    return parts


# ---- src/asm/aarch64/neon.S ------------------------------------------------------------------------------------


def neon_pairs(lane, word):
    """uadalp of two words of 32 bits"""
    return lane + (word.to(32).to(64) + (word >> 32))


def neon_halves(lane, word):
    """uaddw or uaddw2 of one word of 32 bits"""
    return lane + word.to(32).to(64)


def neon_turn(total, words):
    """What general registers add in a turn"""
    return carried(*chain(total, zero_of(total), words))


def neon_end(total, vectors):
    """The sum of the vectors joins that of the general registers."""
    return fold64(carried(*adc(total, vectors, zero_of(total))))


# ---- src/asm/aarch64/sve.S -------------------------------------------------------------------------------------


def sve_dot(lane, word):
    """udot of four words of 16 bits, each times 1"""
    for at in 0, 16, 32, 48:
        lane = lane + (word >> at).to(16).to(64)
    return lane


def sve_total(total, high, word):
    """total"""
    return total + word, high + (word >> 32)


def sve_value(lane, total, high):
    """From 2: of onesum_sum_sve on, but for the fold; lanes of different places are added just so"""
    total = total - (high << 32)
    return lane + high + total


def sve_block(n, vector):
    """load_block: of four vectors of so many bytes, (place, bytes that are loaded, bytes that count as 0 behind them)"""
    parts, at = [], zero_of(n)
    for _ in range(4):
        there = select(at.below(n), n - at, zero_of(n))
        there = select(there.below(vector), there, vector)  # whilelo counts up from `at`, a byte of the vector each
        parts.append((at, there, vector - there))
        at = at + vector
    return parts


# ---- src/asm/riscv64/rvv.S -------------------------------------------------------------------------------------


def rvv_words(lane, word):
    """add_words in one lane, vwredsumu one after the other: of one word of 32 bits"""
    return lane + word.to(64)


def rvv_fold(total):
    """fold"""
    first = total.to(32).to(64) + (total >> 32)
    return (first + (first >> 32)).to(32)


def rvv_join(seed, lanes):
    """join_lanes of one round, and .Lreduce: the sum of the lanes and the one before, folded"""
    return rvv_fold(seed.to(64) + lanes)


# ---- Parts of a buffer by the bits of its size -----------------------------------------------------------------


def part_place(size, part, mask):
    """SELECT: where the part of so many bytes lies, behind the larger ones"""
    return size & (mask - 2 * part)


def part_present(size, part):
    return size & part


# ---- src/kernels/highway.cc: which bytes are taken. Each gives (place, whether it is there, bytes). -------------------


def avx2_parts(n):
    """sum_short() of AVX2: words of 32 bits below a count, then 2 and 1 bytes"""
    words = [(constant(n, n.bits, 4 * i), constant(n, n.bits, i).below(n >> 2), 4) for i in range(16)]
    return [*words, (n & ~3, n & 2, 2), (n & ~1, n & 1, 1)]


def avx512_parts(n, width=64):
    """sum_short() of AVX-512, and copy_tiny() of 16 bytes: the first n bytes of a vector"""
    return [(constant(n, n.bits, i), constant(n, n.bits, i).below(n), 1) for i in range(width)]


def avx512_parts_from(n, before, width=64):
    """The same where the vector begins so many bytes before the buffer. Places are those in the buffer."""
    lanes = [constant(n, n.bits, i) for i in range(width)]
    return [(lane - before, lane.below(before + n) & (1 - lane.below(before)), 1) for lane in lanes]


def masked_fold(total, seed):
    """The end of sum_masked(): the halves of the sum of a vector, and the seed"""
    low = total.to(32)
    return carried(*chain(low, zero_of(low), [seed, (total >> 32).to(32)]))


def copy_places(n):
    """copy_short(): where its four pieces of 16 bytes begin"""
    last = n - 16

    def lesser(number):
        least = constant(n, n.bits, number)
        return select(last.below(least), last, least)
    return [zero_of(n), lesser(16), lesser(32), last]


def vectors_parts(n, width):
    """sum_unaligned(): the bytes of whole vectors; of the last vector, whose end is the last even byte; the odd byte.
    (first, behind the last) of each"""
    even, whole = n & ~1, (n - 1) & ~(width - 1)
    absent = whole + width - even  # bytes of the last vector that the others have
    return [(zero_of(n), whole), (even - width + absent, even), (n - (n & 1), n)]


def vectors_left(count, turn, absent):
    """How many vectors are left for the loads without a branch, of `count` whole ones"""
    left = count & (turn - 1)
    if absent + 1 < turn:
        left = select(constant(left, left.bits, absent).below(left), left - (absent + 1), left)
    return left
