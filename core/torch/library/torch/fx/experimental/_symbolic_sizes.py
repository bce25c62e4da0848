# SPDX-License-Identifier: GPL-3.0-or-later
# Sizes that are unknown, and what a convolution makes of them: a symbol, moved by whole numbers, divided and rounded down.
# They are written as sympy writes them.
from fractions import Fraction


def _sum(text, number):
    if number == 0:
        return text
    return f'{text} {"+" if number > 0 else "-"} {abs(number)}'


class _Size:
    # name / divisor + inside, rounded down where there is a divisor, and then + outside.
    def __init__(self, name, divisor=None, inside=0, outside=0):
        self._parts = (name, divisor, inside, outside)

    def __add__(self, number):
        if not isinstance(number, int):
            return NotImplemented
        name, divisor, inside, outside = self._parts
        return _Size(name, divisor, inside, outside + number)

    __radd__ = __add__

    def __sub__(self, number):
        return self + -number

    def __floordiv__(self, number):
        name, divisor, inside, outside = self._parts
        if divisor is not None or not isinstance(number, int):
            return NotImplemented
        moved = Fraction(outside, number)
        if moved.denominator == 1:
            return _Size(name, number, 0, int(moved))
        return _Size(name, number, moved, 0)

    def __eq__(self, other):
        return isinstance(other, _Size) and str(self) == str(other)

    def __hash__(self):
        return hash(self._parts)

    def __str__(self):
        name, divisor, inside, outside = self._parts
        if divisor is None:
            return _sum(name, outside)
        return _sum(f'floor({_sum(name if divisor == 1 else f"{name}/{divisor}", inside)})', outside)

    __repr__ = __str__


class Symbol(_Size):
    pass
