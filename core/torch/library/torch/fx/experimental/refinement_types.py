# SPDX-License-Identifier: GPL-3.0-or-later
# That two sizes are equal.


class Equality:
    def __init__(self, lhs, rhs):
        self.lhs = lhs
        self.rhs = rhs

    def __str__(self):
        return f'{self.lhs} = {self.rhs}'

    __repr__ = __str__

    def __eq__(self, other):
        return isinstance(other, Equality) and self.lhs == other.lhs and self.rhs == other.rhs
