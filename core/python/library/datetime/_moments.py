# SPDX-License-Identifier: GPL-3.0-or-later
# datetime: a date and an hour, perhaps in a zone; the local one is UTC.

from datetime._calendar import format_time, from_ordinal, to_ordinal
from datetime._dates import date, date_of_text
from datetime._span import kind_name, timedelta
from datetime._times import check_time, time, time_of_text, time_text
from datetime._zones import offset_text, timezone, tzinfo

_EPOCH = 719163
_DAY = 86400 * 10**6


def _date_size(text):
    """How many characters of an ISO text are its date."""
    dashed = text[4:5] == "-"
    if "W" not in text[:6]:
        return 10 if dashed else 8
    week = 8 if dashed else 7
    if dashed:
        return week + 2 if text[week:week + 1] == "-" else week
    return week + 1 if text[week:week + 1].isdigit() else week


class datetime(date):
    __slots__ = ("_hour", "_minute", "_second", "_microsecond", "_tzinfo", "_fold")
    __module__ = "datetime"

    def __new__(cls, year, month, day, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        self = date.__new__(cls, year, month, day)
        check_time(hour, minute, second, microsecond, fold, tzinfo)
        self._hour, self._minute, self._second, self._microsecond = hour, minute, second, microsecond
        self._tzinfo, self._fold = tzinfo, fold
        return self

    hour, minute, second, microsecond = time.hour, time.minute, time.second, time.microsecond
    tzinfo, fold = time.tzinfo, time.fold

    @classmethod
    def _of_micros(cls, micros, zone=None):
        """Since the beginning of year 1."""
        days, rest = divmod(micros, _DAY)
        if not 0 <= days < date.max.toordinal():
            raise OverflowError("date value out of range")
        seconds, micro = divmod(rest, 10**6)
        return cls(*from_ordinal(days + 1), seconds // 3600, seconds // 60 % 60, seconds % 60, micro, zone)

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(0, tz)

    @classmethod
    def utcnow(cls):
        return cls(1970, 1, 1)

    today = utcnow

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        if tz is not None and not isinstance(tz, tzinfo):
            raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type {type(tz).__name__!r}")
        # a fraction goes to the nearest microsecond
        whole = int(timestamp // 1)
        micros = whole * 10**6 + round((timestamp - whole) * 1e6)
        utc = cls._of_micros(micros + (_EPOCH - 1) * _DAY, tz)
        return utc if tz is None else tz.fromutc(utc)

    @classmethod
    def utcfromtimestamp(cls, t):
        return cls.fromtimestamp(t)

    @classmethod
    def combine(cls, date, time, tzinfo=True):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond,
                   time.tzinfo if tzinfo is True else tzinfo, fold=time.fold)

    @classmethod
    def fromordinal(cls, n):
        return cls(*from_ordinal(n))

    @classmethod
    def fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        fault = f"Invalid isoformat string: {date_string!r}"
        text = date_string
        size = _date_size(text)
        day = date_of_text(text[:size], fault)
        if len(text) == size:
            return cls(*day)
        return cls(*day, *time_of_text(text[size + 1:], fault))

    @classmethod
    def strptime(cls, date_string, format):
        from datetime._parsing import parse_time

        fields, offset, name = parse_time(date_string, format)
        zone = None
        if offset is not None:
            zone = timezone(timedelta(seconds=offset)) if name is None else timezone(timedelta(seconds=offset), name)
        return cls(*fields, zone)

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None,
                tzinfo=True, *, fold=None):
        given = (year, month, day, hour, minute, second, microsecond)
        return type(self)(*(old if new is None else new for old, new in zip(self._fields(), given)),
                          self._tzinfo if tzinfo is True else tzinfo, fold=self._fold if fold is None else fold)

    def _fields(self):
        return self._year, self._month, self._day, self._hour, self._minute, self._second, self._microsecond

    def date(self):
        return date(self._year, self._month, self._day)

    def time(self):
        return time(self._hour, self._minute, self._second, self._microsecond, fold=self._fold)

    def timetz(self):
        return self.time().replace(tzinfo=self._tzinfo)

    def utcoffset(self):
        return None if self._tzinfo is None else self._tzinfo.utcoffset(self)

    def tzname(self):
        return None if self._tzinfo is None else self._tzinfo.tzname(self)

    def dst(self):
        return None if self._tzinfo is None else self._tzinfo.dst(self)

    def _micros(self):
        seconds = (self._hour * 60 + self._minute) * 60 + self._second
        return (self.toordinal() - 1) * _DAY + seconds * 10**6 + self._microsecond

    def _key(self):
        offset = self.utcoffset()
        return self._micros() if offset is None else self._micros() - offset // timedelta.resolution

    def timestamp(self):
        return (self._key() - (_EPOCH - 1) * _DAY) / 10**6

    def astimezone(self, tz=None):
        tz = timezone.utc if tz is None else tz
        if not isinstance(tz, tzinfo):
            raise TypeError("tz argument must be an instance of tzinfo")
        if tz is self._tzinfo:
            return self
        return tz.fromutc(type(self)._of_micros(self._key(), tz))

    def timetuple(self):
        from time import struct_time

        nth = self.toordinal() - to_ordinal(self._year, 1, 1) + 1
        dst = self.dst()
        return struct_time((*self._fields()[:6], self.weekday(), nth, -1 if dst is None else int(bool(dst))))

    def utctimetuple(self):
        from time import struct_time

        utc = type(self)._of_micros(self._key())
        return struct_time((*utc.timetuple()[:8], 0))

    def ctime(self):
        return self.strftime("%a %b %e %H:%M:%S ") + f"{self._year:04d}"

    def isoformat(self, sep="T", timespec="auto"):
        return (date.isoformat(self) + sep + time_text(*self._fields()[3:], timespec) + offset_text(self.utcoffset()))

    def __str__(self):
        return self.isoformat(" ")

    def strftime(self, format):
        year, month, day, hour, minute, second, micro = self._fields()
        return format_time(format, year, month, day, hour, minute, second, f"{micro:06d}",
                           offset_text(self.utcoffset(), ""), self.tzname() or "")

    def __repr__(self):
        numbers = list(self._fields())
        while len(numbers) > 5 and not numbers[-1]:
            numbers.pop()
        text = ", ".join(map(str, numbers))
        text += f", tzinfo={self._tzinfo!r}" if self._tzinfo is not None else ""
        return f"{kind_name(self)}({text}{', fold=1' if self._fold else ''})"

    def __reduce__(self):
        return type(self), (*self._fields(), self._tzinfo)

    def _compared(self, other):
        return isinstance(other, datetime)

    def _order(self, other):
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            raise TypeError("can't compare offset-naive and offset-aware datetimes")
        return self._key() - other._key()

    def _refuse_date(self, other):
        if isinstance(other, date):
            raise TypeError(f"can't compare {kind_name(self)} to {kind_name(other)}")
        return NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __eq__(self, other):
        if not isinstance(other, datetime):
            return False if isinstance(other, date) else NotImplemented
        return (self.utcoffset() is None) == (other.utcoffset() is None) and self._key() == other._key()

    def __lt__(self, other):
        return self._order(other) < 0 if isinstance(other, datetime) else self._refuse_date(other)

    def __le__(self, other):
        return self._order(other) <= 0 if isinstance(other, datetime) else self._refuse_date(other)

    def __gt__(self, other):
        return self._order(other) > 0 if isinstance(other, datetime) else self._refuse_date(other)

    def __ge__(self, other):
        return self._order(other) >= 0 if isinstance(other, datetime) else self._refuse_date(other)

    def __add__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return type(self)._of_micros(self._micros() + other // timedelta.resolution, self._tzinfo)

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return self + -other
        if not isinstance(other, datetime):
            return NotImplemented
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        return timedelta(microseconds=self._key() - other._key())


datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta(microseconds=1)
