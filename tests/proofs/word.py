"""Words of a fixed number of bits, as z3's terms or as arrays of numbers. SPDX-License-Identifier: MIT

A model is a function of words. Given z3's terms it is what a proof speaks of; given arrays of numbers it is run beside
the library. So what is proved is what was compared.
"""
import numpy
import z3


class Word:
    """An unsigned word of at most 64 bits; all operations are modulo 2^bits, as a register's are."""

    def __init__(self, bits, value):
        self.bits, self.value = bits, value

    @property
    def proving(self):
        return isinstance(self.value, z3.BitVecRef)

    def _wrap(self, value):
        if not self.proving and self.bits < 64:
            value = value & numpy.uint64((1 << self.bits) - 1)
        return Word(self.bits, value)

    def _value(self, other):
        if isinstance(other, Word):
            assert other.bits == self.bits, (self.bits, other.bits)
            return other.value
        other &= (1 << self.bits) - 1
        return z3.BitVecVal(other, self.bits) if self.proving else numpy.uint64(other)

    def __add__(self, other):
        return self._wrap(self.value + self._value(other))

    def __sub__(self, other):
        return self._wrap(self.value - self._value(other))

    def __and__(self, other):
        return self._wrap(self.value & self._value(other))

    def __or__(self, other):
        return self._wrap(self.value | self._value(other))

    def __xor__(self, other):
        return self._wrap(self.value ^ self._value(other))

    def __invert__(self):
        return self._wrap(~self.value)

    def __lshift__(self, count):
        return self._wrap(self.value << (count if self.proving else numpy.uint64(count)))

    def __rshift__(self, count):
        return Word(self.bits, z3.LShR(self.value, count) if self.proving else self.value >> numpy.uint64(count))

    def below(self, other):
        """1 where this is less than the other, unsigned, else 0; as a word of as many bits."""
        if self.proving:
            return Word(self.bits, z3.If(z3.ULT(self.value, self._value(other)), z3.BitVecVal(1, self.bits),
                                         z3.BitVecVal(0, self.bits)))
        return Word(self.bits, (self.value < self._value(other)).astype(numpy.uint64))

    def to(self, bits):
        """The low bits, or the whole with zeros before it."""
        if self.proving:
            if bits < self.bits:
                return Word(bits, z3.Extract(bits - 1, 0, self.value))
            return Word(bits, z3.ZeroExt(bits - self.bits, self.value) if bits > self.bits else self.value)
        return Word(bits, self.value)._wrap(self.value)

    def rotated_left(self, count):
        return self << count | self >> (self.bits - count)


def constant(like, bits, number):
    """A word of the same kind as `like`."""
    return Word(bits, z3.BitVecVal(number, bits) if like.proving else numpy.full_like(like.value, number))
