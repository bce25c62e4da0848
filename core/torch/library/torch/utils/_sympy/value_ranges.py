# SPDX-License-Identifier: GPL-3.0-or-later
# From which number to which one a symbol may be.
import dataclasses

from torch.utils._sympy.numbers import int_oo


@dataclasses.dataclass(frozen=True)
class ValueRanges:
    lower: object
    upper: object

    @property
    def is_int(self):
        return not isinstance(self.lower, (bool, float))

    @property
    def is_bool(self):
        return isinstance(self.lower, bool)

    @property
    def is_float(self):
        return isinstance(self.lower, float)

    @classmethod
    def wrap(cls, value):
        return value if isinstance(value, ValueRanges) else cls(value, value)

    @classmethod
    def unknown_int(cls):
        return cls(-int_oo, int_oo)

    def is_singleton(self):
        return self.lower == self.upper

    def issubset(self, other):
        return other.lower <= self.lower and self.upper <= other.upper

    def __contains__(self, value):
        return self.lower <= value <= self.upper

    def __and__(self, other):
        return ValueRanges(self.lower if self.lower >= other.lower else other.lower,
                           self.upper if self.upper <= other.upper else other.upper)

    def __or__(self, other):
        return ValueRanges(self.lower if self.lower <= other.lower else other.lower,
                           self.upper if self.upper >= other.upper else other.upper)

    def __repr__(self):
        return f'VR[{self.lower}, {self.upper}]'

    __str__ = __repr__
