# SPDX-License-Identifier: GPL-3.0-or-later
# time: an hour of the day, perhaps in a zone.

from datetime._calendar import format_time
from datetime._span import kind_name, timedelta
from datetime._zones import offset_text, timezone, tzinfo

_SPECS = ("auto", "hours", "minutes", "seconds", "milliseconds", "microseconds")


def check_time(hour, minute, second, microsecond, fold, zone):
    if not 0 <= hour <= 23:
        raise ValueError("hour must be in 0..23")
    if not 0 <= minute <= 59:
        raise ValueError("minute must be in 0..59")
    if not 0 <= second <= 59:
        raise ValueError("second must be in 0..59")
    if not 0 <= microsecond <= 999999:
        raise ValueError("microsecond must be in 0..999999")
    if fold not in (0, 1):
        raise ValueError("fold must be either 0 or 1")
    if zone is not None and not isinstance(zone, tzinfo):
        raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type {type(zone).__name__!r}")


def time_text(hour, minute, second, micro, timespec):
    if timespec not in _SPECS:
        raise ValueError("Unknown timespec value")
    if timespec == "auto":
        timespec = "microseconds" if micro else "seconds"
    text = f"{hour:02d}:{minute:02d}:{second:02d}.{micro:06d}"
    return text[:{"hours": 2, "minutes": 5, "seconds": 8, "milliseconds": 12, "microseconds": 15}[timespec]]


def _clock(text, fault):
    """Hours, minutes, seconds and microseconds of 12, 12:30, 1230, 12:30:15.25 ..."""
    whole, point, part = text.replace(",", ".").partition(".")
    plain = whole.replace(":", "")
    if not (plain.isascii() and plain.isdigit()) or len(plain) not in (2, 4, 6) or point and len(plain) != 6:
        raise ValueError(fault)
    parts = [plain[at:at + 2] for at in range(0, len(plain), 2)]
    if whole not in (plain, ":".join(parts)) or point and not (part.isascii() and part.isdigit()):
        raise ValueError(fault)
    hour, minute, second = ([int(item) for item in parts] + [0, 0])[:3]
    return hour, minute, second, int(part[:6].ljust(6, "0")) if point else 0


def time_of_text(text, fault):
    """The four numbers and the zone, perhaps None."""
    at = next((at for at, sign in enumerate(text) if sign in "+-Z"), len(text))
    zone = None
    if text[at:] == "Z":
        zone = timezone.utc
    elif at < len(text):
        hours, minutes, seconds, micros = _clock(text[at + 1:], fault)
        offset = timedelta(hours=hours, minutes=minutes, seconds=seconds, microseconds=micros)
        zone = timezone(-offset if text[at] == "-" else offset)
    return *_clock(text[:at], fault), zone


class time:
    __slots__ = ("_hour", "_minute", "_second", "_microsecond", "_tzinfo", "_fold")
    __module__ = "datetime"

    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        check_time(hour, minute, second, microsecond, fold, tzinfo)
        self = object.__new__(cls)
        self._hour, self._minute, self._second, self._microsecond = hour, minute, second, microsecond
        self._tzinfo, self._fold = tzinfo, fold
        return self

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)
    fold = property(lambda self: self._fold)

    @classmethod
    def fromisoformat(cls, time_string):
        if not isinstance(time_string, str):
            raise TypeError("fromisoformat: argument must be str")
        text = time_string[1:] if time_string.startswith("T") else time_string
        return cls(*time_of_text(text, f"Invalid isoformat string: {time_string!r}"))

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        return type(self)(self._hour if hour is None else hour, self._minute if minute is None else minute,
                          self._second if second is None else second,
                          self._microsecond if microsecond is None else microsecond,
                          self._tzinfo if tzinfo is True else tzinfo, fold=self._fold if fold is None else fold)

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(None)

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(None)

    def dst(self):
        return None if self._tzinfo is None else self._tzinfo.dst(None)

    def isoformat(self, timespec="auto"):
        return (time_text(self._hour, self._minute, self._second, self._microsecond, timespec)
                + offset_text(self.utcoffset()))

    __str__ = isoformat

    def strftime(self, format):
        return format_time(format, 1900, 1, 1, self._hour, self._minute, self._second, f"{self._microsecond:06d}",
                           offset_text(self.utcoffset(), ""), self.tzname() or "")

    def __format__(self, format):
        return self.strftime(format) if format else str(self)

    def __repr__(self):
        numbers = [self._hour, self._minute, self._second, self._microsecond]
        while len(numbers) > 2 and not numbers[-1]:
            numbers.pop()
        text = ", ".join(map(str, numbers))
        text += f", tzinfo={self._tzinfo!r}" if self._tzinfo is not None else ""
        return f"{kind_name(self)}({text}{', fold=1' if self._fold else ''})"

    def __reduce__(self):
        return type(self), (self._hour, self._minute, self._second, self._microsecond, self._tzinfo)

    def _key(self):
        micros = ((self._hour * 60 + self._minute) * 60 + self._second) * 10**6 + self._microsecond
        offset = self.utcoffset()
        return micros if offset is None else micros - offset // timedelta.resolution

    def _order(self, other):
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            raise TypeError("can't compare offset-naive and offset-aware times")
        return self._key() - other._key()

    def __hash__(self):
        return hash(self._key())

    def __eq__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        return (self.utcoffset() is None) == (other.utcoffset() is None) and self._key() == other._key()

    def __lt__(self, other):
        return self._order(other) < 0 if isinstance(other, time) else NotImplemented

    def __le__(self, other):
        return self._order(other) <= 0 if isinstance(other, time) else NotImplemented

    def __gt__(self, other):
        return self._order(other) > 0 if isinstance(other, time) else NotImplemented

    def __ge__(self, other):
        return self._order(other) >= 0 if isinstance(other, time) else NotImplemented


time.min, time.max, time.resolution = time(), time(23, 59, 59, 999999), timedelta(microseconds=1)
