"""Words of a fixed number of bits: z3's bit vectors or integers, or arrays of numbers. SPDX-License-Identifier: MIT

A model is a function of words. Given z3's terms it is what a proof speaks of; given arrays of numbers it is run beside
the library. So what is proved is what was compared.

As integers, each addition that may wrap is written with an unknown carry of 0 or 1 that makes the result fit. The solver
then has linear equations instead of adders bit by bit, and long chains of carries take it a moment.
"""
import itertools

import numpy
import z3

fresh = itertools.count()
facts = []  # what holds of the unknowns that integer words have brought in


def unknown(below):
    value = z3.Int(f'unknown{next(fresh)}')
    facts.append(z3.And(value >= 0, value < below))
    return value


def integer(bits):
    """An integer word of any value."""
    return Word(bits, unknown(1 << bits))


class Word:
    """An unsigned word of at most 64 bits; all operations are modulo 2^bits, as a register's are."""

    def __init__(self, bits, value):
        self.bits, self.value = bits, value

    @property
    def vector(self):
        return isinstance(self.value, z3.BitVecRef)

    @property
    def integer(self):
        return isinstance(self.value, z3.ArithRef)

    def _wrap(self, value):
        if self.integer:
            result, carry = unknown(1 << self.bits), unknown(2)
            facts.append(value == result + carry * (1 << self.bits))
            value = result
        elif not self.vector and self.bits < 64:
            value = value & numpy.uint64((1 << self.bits) - 1)
        return Word(self.bits, value)

    def _value(self, other):
        if isinstance(other, Word):
            assert other.bits == self.bits, (self.bits, other.bits)
            return other.value
        other &= (1 << self.bits) - 1
        if self.integer:
            return z3.IntVal(other)
        return z3.BitVecVal(other, self.bits) if self.vector else numpy.uint64(other)

    def __add__(self, other):
        return self._wrap(self.value + self._value(other))

    def __sub__(self, other):
        return Word(self.bits, self.value - self._value(other)) if self.vector else self + (~self._word(other) + 1)

    def _word(self, other):
        return other if isinstance(other, Word) else constant(self, self.bits, other & (1 << self.bits) - 1)

    def __and__(self, other):
        return Word(self.bits, self.value & self._value(other))

    def __or__(self, other):
        if self.integer:
            assert z3.is_app_of(self.value, z3.Z3_OP_ITE) and z3.is_app_of(other.value, z3.Z3_OP_ITE)  # from below()
            return Word(self.bits, z3.If(z3.Or(self.value == 1, self._value(other) == 1), 1, 0))
        return Word(self.bits, self.value | self._value(other))

    def __xor__(self, other):
        return Word(self.bits, self.value ^ self._value(other))

    def __invert__(self):
        if self.integer:
            return Word(self.bits, (1 << self.bits) - 1 - self.value)
        return Word(self.bits, ~self.value)._low()

    def _low(self):
        return self._wrap(self.value)

    def __lshift__(self, count):
        return self._wrap(self.value << (count if self.vector else numpy.uint64(count)))

    def __rshift__(self, count):
        count = count.value if isinstance(count, Word) else count if self.vector else numpy.uint64(count)
        return Word(self.bits, z3.LShR(self.value, count) if self.vector else self.value >> count)

    def __rsub__(self, other):
        return self._word(other) - self

    def below(self, other):
        """1 where this is less than the other, unsigned, else 0; as a word of as many bits."""
        if self.integer:
            return Word(self.bits, z3.If(self.value < self._value(other), 1, 0))
        if self.vector:
            return Word(self.bits, z3.If(z3.ULT(self.value, self._value(other)), z3.BitVecVal(1, self.bits),
                                         z3.BitVecVal(0, self.bits)))
        return Word(self.bits, (self.value < self._value(other)).astype(numpy.uint64))

    def to(self, bits):
        """The low bits, or the whole with zeros before it."""
        if self.vector:
            if bits < self.bits:
                return Word(bits, z3.Extract(bits - 1, 0, self.value))
            return Word(bits, z3.ZeroExt(bits - self.bits, self.value) if bits > self.bits else self.value)
        if self.integer:
            assert bits >= self.bits
            return Word(bits, self.value)
        return Word(bits, self.value)._low()

    def rotated_left(self, count):
        return self << count | self >> (self.bits - count)


def constant(like, bits, number):
    """A word of the same kind as `like`."""
    if like.integer:
        return Word(bits, z3.IntVal(number))
    return Word(bits, z3.BitVecVal(number, bits) if like.vector else numpy.full_like(like.value, number))
