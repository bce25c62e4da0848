# SPDX-License-Identifier: GPL-3.0-or-later
# date.

from collections import namedtuple
from datetime._calendar import MONTHS, WEEKDAYS, days_in_month, format_time, from_ordinal, iso_week, to_ordinal
from datetime._span import kind_name, timedelta
from operator import index

_MOST = 3652059  # 31 December 9999
_EPOCH = 719163
_Iso = namedtuple("IsoCalendarDate", "year week weekday", module="datetime")


class IsoCalendarDate(_Iso):
    __slots__ = ()
    __module__ = "datetime"

    def __repr__(self):
        return f"datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})"


def _check(year, month, day):
    if not 1 <= year <= 9999:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= days_in_month(year, month):
        raise ValueError("day is out of range for month")


def _numbers(text, kind, *sizes):
    """"2024", "05", "01": whole numbers of so many digits."""
    if len(text) != len(sizes) or any(len(part) != size or not (part.isascii() and part.isdigit())
                                      for part, size in zip(text, sizes)):
        raise ValueError(kind)
    return [int(part) for part in text]


def date_of_text(text, fault):
    """2024-05-01, 20240501, 2024-W18-3, 2024W183 or either without a day."""
    plain = text.replace("-", "")
    dashes = text.count("-")
    if "W" in plain:
        week = plain.partition("W")[2]
        year, number = _numbers([plain[:4], week[:2]], fault, 4, 2)
        (day,) = _numbers([week[2:] or "1"], fault, 1)
        dashed = f"{year:04d}-W{number:02d}" + (f"-{day}" if len(week) > 2 else "")
        if text != (dashed if dashes else dashed.replace("-", "")):
            raise ValueError(fault)
        return of_iso_week(year, number, day)
    if dashes and not (len(text) == 10 and text[4] == text[7] == "-") or not dashes and len(text) != 8:
        raise ValueError(fault)
    return tuple(_numbers([plain[:4], plain[4:6], plain[6:]], fault, 4, 2, 2))


def of_iso_week(year, week, day):
    if not 1 <= year <= 9999:
        raise ValueError(f"Year is out of range: {year}")
    if not 1 <= week <= iso_week(year, 12, 28)[1]:
        raise ValueError(f"Invalid week: {week}")
    if not 1 <= day <= 7:
        raise ValueError(f"Invalid weekday: {day} (range is [1, 7])")
    fourth = to_ordinal(year, 1, 4)
    return from_ordinal(fourth - (fourth - 1) % 7 + (week - 1) * 7 + day - 1)


class date:
    __slots__ = ("_year", "_month", "_day")
    __module__ = "datetime"

    def __new__(cls, year, month, day):
        year, month, day = index(year), index(month), index(day)
        _check(year, month, day)
        self = object.__new__(cls)
        self._year, self._month, self._day = year, month, day
        return self

    year = property(lambda self: self._year)
    month = property(lambda self: self._month)
    day = property(lambda self: self._day)

    @classmethod
    def today(cls):
        return cls(1970, 1, 1)

    @classmethod
    def fromordinal(cls, n):
        if n < 1:
            raise ValueError("ordinal must be >= 1")
        if n > _MOST:
            raise ValueError(f"year {from_ordinal(n)[0]} is out of range")
        return cls(*from_ordinal(n))

    @classmethod
    def fromtimestamp(cls, t):
        return cls.fromordinal(_EPOCH + int(t // 86400))

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        return cls(*date_of_text(date_string, f"Invalid isoformat string: {date_string!r}"))

    @classmethod
    def fromisocalendar(cls, year, week, day):
        return cls(*of_iso_week(year, week, day))

    def replace(self, year=None, month=None, day=None):
        return type(self)(self._year if year is None else year, self._month if month is None else month,
                          self._day if day is None else day)

    def toordinal(self):
        return to_ordinal(self._year, self._month, self._day)

    def weekday(self):
        return (self.toordinal() - 1) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isocalendar(self):
        return IsoCalendarDate(*iso_week(self._year, self._month, self._day))

    def isoformat(self):
        return f"{self._year:04d}-{self._month:02d}-{self._day:02d}"

    __str__ = isoformat

    def ctime(self):
        return f"{WEEKDAYS[self.weekday()][:3]} {MONTHS[self._month - 1][:3]} {self._day:2d} 00:00:00 {self._year:04d}"

    def timetuple(self):
        from time import struct_time

        start = to_ordinal(self._year, 1, 1) - 1
        return struct_time((self._year, self._month, self._day, 0, 0, 0, self.weekday(), self.toordinal() - start, -1))

    def strftime(self, format):
        return format_time(format, self._year, self._month, self._day, 0, 0, 0, "000000", "", "")

    def __format__(self, format):
        if not isinstance(format, str):
            raise TypeError(f"__format__() argument 1 must be str, not {type(format).__name__}")
        return self.strftime(format) if format else str(self)

    def __repr__(self):
        return f"{kind_name(self)}({self._year}, {self._month}, {self._day})"

    def __reduce__(self):
        return type(self), (self._year, self._month, self._day)

    def _key(self):
        return self._year, self._month, self._day

    def _compared(self, other):
        """Whether the two can be compared: a datetime is not compared with a date."""
        from datetime import datetime

        return isinstance(other, date) and not isinstance(other, datetime)

    def __hash__(self):
        return hash(self._key())

    def __eq__(self, other):
        return self._key() == other._key() if self._compared(other) else NotImplemented

    def __lt__(self, other):
        return self._key() < other._key() if self._compared(other) else NotImplemented

    def __le__(self, other):
        return self._key() <= other._key() if self._compared(other) else NotImplemented

    def __gt__(self, other):
        return self._key() > other._key() if self._compared(other) else NotImplemented

    def __ge__(self, other):
        return self._key() >= other._key() if self._compared(other) else NotImplemented

    def _moved(self, days):
        number = self.toordinal() + days
        if not 1 <= number <= _MOST:
            raise OverflowError("date value out of range")
        return type(self).fromordinal(number)

    def __add__(self, other):
        return self._moved(other.days) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self._moved(-other.days)
        return timedelta(self.toordinal() - other.toordinal()) if isinstance(other, date) else NotImplemented


date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(1)
