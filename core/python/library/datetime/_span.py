# SPDX-License-Identifier: GPL-3.0-or-later
# timedelta, kept as a whole number of microseconds.

_DAY = 86400 * 10**6
_UNITS = {"days": _DAY, "seconds": 10**6, "microseconds": 1, "milliseconds": 1000, "minutes": 60 * 10**6,
          "hours": 3600 * 10**6, "weeks": 7 * _DAY}
_MOST = 999999999


def _rounded(top, bottom):
    """top / bottom to the nearest whole number; of two, to the even one."""
    if bottom < 0:
        top, bottom = -top, -bottom
    whole, rest = divmod(top, bottom)
    return whole + (rest * 2 > bottom or rest * 2 == bottom and whole % 2 == 1)


def kind_name(value):
    """As repr() has it: classes of a program go without their module."""
    kind = type(value)
    return f"datetime.{kind.__name__}" if kind.__module__ == "datetime" else kind.__name__


class timedelta:
    __slots__ = ("_micros",)
    __module__ = "datetime"

    def __new__(cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        given = (days, seconds, microseconds, milliseconds, minutes, hours, weeks)
        total, fractional = 0, 0.0
        for (name, unit), value in zip(_UNITS.items(), given):
            if isinstance(value, int):
                total += value * unit
            elif isinstance(value, float):
                whole = int(value)
                total += whole * unit
                fractional += (value - whole) * unit
            else:
                raise TypeError(f"unsupported type for timedelta {name} component: {type(value).__name__}")
        return _made(cls, total + round(fractional))

    days = property(lambda self: self._micros // _DAY)
    seconds = property(lambda self: self._micros % _DAY // 10**6)
    microseconds = property(lambda self: self._micros % 10**6)

    def total_seconds(self):
        return self._micros / 10**6

    def __repr__(self):
        parts = [f"{name}={value}" for name, value in (("days", self.days), ("seconds", self.seconds),
                                                       ("microseconds", self.microseconds)) if value]
        return f"{kind_name(self)}({', '.join(parts) or '0'})"

    def __str__(self):
        days, seconds = self.days, self.seconds
        text = f"{days} day{'s' if abs(days) != 1 else ''}, " if days else ""
        text += f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        return text + (f".{self.microseconds:06d}" if self.microseconds else "")

    def __reduce__(self):
        return type(self), (self.days, self.seconds, self.microseconds)

    def __hash__(self):
        return hash((self.days, self.seconds, self.microseconds))

    def __bool__(self):
        return self._micros != 0

    def __add__(self, other):
        return _of(self._micros + other._micros) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return _of(self._micros - other._micros) if isinstance(other, timedelta) else NotImplemented

    def __rsub__(self, other):
        return other + -self if isinstance(other, timedelta) else NotImplemented

    def __neg__(self):
        return _of(-self._micros)

    def __pos__(self):
        return _of(self._micros)

    def __abs__(self):
        return _of(abs(self._micros))

    def __mul__(self, other):
        if isinstance(other, int):
            return _of(self._micros * other)
        if isinstance(other, float):
            top, bottom = other.as_integer_ratio()
            return _of(_rounded(self._micros * top, bottom))
        return NotImplemented

    __rmul__ = __mul__

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._micros // other._micros
        return _of(self._micros // other) if isinstance(other, int) else NotImplemented

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._micros / other._micros
        if isinstance(other, int):
            if other == 0:
                raise ZeroDivisionError("integer division or modulo by zero")
            return _of(_rounded(self._micros, other))
        if isinstance(other, float):
            top, bottom = other.as_integer_ratio()
            if top == 0:
                raise ZeroDivisionError("integer division or modulo by zero")
            return _of(_rounded(self._micros * bottom, top))
        return NotImplemented

    def __mod__(self, other):
        return _of(self._micros % other._micros) if isinstance(other, timedelta) else NotImplemented

    def __divmod__(self, other):
        return (self // other, self % other) if isinstance(other, timedelta) else NotImplemented

    def __eq__(self, other):
        return self._micros == other._micros if isinstance(other, timedelta) else NotImplemented

    def __lt__(self, other):
        return self._micros < other._micros if isinstance(other, timedelta) else NotImplemented

    def __le__(self, other):
        return self._micros <= other._micros if isinstance(other, timedelta) else NotImplemented

    def __gt__(self, other):
        return self._micros > other._micros if isinstance(other, timedelta) else NotImplemented

    def __ge__(self, other):
        return self._micros >= other._micros if isinstance(other, timedelta) else NotImplemented


def _made(cls, micros):
    if not -_MOST <= micros // _DAY <= _MOST:
        raise OverflowError(f"days={micros // _DAY}; must have magnitude <= {_MOST}")
    self = object.__new__(cls)
    self._micros = micros
    return self


def _of(micros):
    return _made(timedelta, micros)


timedelta.min, timedelta.max = timedelta(-_MOST), _of(_MOST * _DAY + _DAY - 1)
timedelta.resolution = timedelta(microseconds=1)
