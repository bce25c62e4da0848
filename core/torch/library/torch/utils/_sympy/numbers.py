# SPDX-License-Identifier: GPL-3.0-or-later
# Whole numbers without an end.
class IntInfinity:
    def __init__(self, sign):
        self._sign = sign

    def __neg__(self):
        return IntInfinity(-self._sign)

    def __eq__(self, other):
        return isinstance(other, IntInfinity) and self._sign == other._sign

    def __hash__(self):
        return hash(float('inf') * self._sign)

    def __lt__(self, other):
        return self._sign < 0 and self != other

    def __le__(self, other):
        return self == other or self < other

    def __gt__(self, other):
        return self._sign > 0 and self != other

    def __ge__(self, other):
        return self == other or self > other

    def __repr__(self):
        return 'int_oo' if self._sign > 0 else '-int_oo'


int_oo = IntInfinity(1)
