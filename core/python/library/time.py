# SPDX-License-Identifier: GPL-3.0-or-later
# Python's time where it is the beginning of 1970, in UTC, when a program begins. The clocks stand still while a model is
# opened; a program that runs models, as a pass does, sees how long it takes.

from _refusal import refused_names
from datetime._calendar import MONTHS, WEEKDAYS, day_of_year, format_time, from_ordinal, to_ordinal

globals().update(refused_names("time", "the clocks stand still here",
                           "clock_getres clock_settime pthread_getcpuclockid tzset"))
timezone = altzone = daylight = 0
tzname = ("UTC", "UTC")
CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID = 0, 1, 2
_EPOCH = 719163
_FIELDS = ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst")


try:
    time_ns = _elapsed_nanoseconds
except NameError:
    def time_ns():
        return 0


def time():
    return time_ns() / 1e9


perf_counter = monotonic = process_time = thread_time = time
perf_counter_ns = monotonic_ns = process_time_ns = thread_time_ns = time_ns


def clock_gettime(clk_id):
    return time()


def clock_gettime_ns(clk_id):
    return time_ns()


def sleep(secs):
    if secs < 0:
        raise ValueError("sleep length must be non-negative")


class struct_time(tuple):
    __module__ = "time"
    n_fields, n_sequence_fields, n_unnamed_fields = 11, 9, 0
    tm_zone, tm_gmtoff = "UTC", 0

    def __new__(cls, iterable):
        self = tuple.__new__(cls, iterable)
        if len(self) != 9:
            raise TypeError(f"time.struct_time() takes an at least 9-sequence ({len(self)}-sequence given)")
        return self

    def __repr__(self):
        return f"time.struct_time({', '.join(f'{name}={value!r}' for name, value in zip(_FIELDS, self))})"

    __str__ = __repr__


for _at, _name in enumerate(_FIELDS):
    setattr(struct_time, _name, property(lambda self, at=_at: self[at]))


def gmtime(seconds=None):
    days, rest = divmod(int(seconds // 1) if seconds is not None else 0, 86400)
    year, month, day = from_ordinal(_EPOCH + days)
    return struct_time((year, month, day, rest // 3600, rest // 60 % 60, rest % 60, (days + 3) % 7,
                        day_of_year(year, month, day), 0))


localtime = gmtime


def mktime(t, /):
    year, month, day, hour, minute, second = t[:6]
    return float((to_ordinal(year, month, day) - _EPOCH) * 86400 + hour * 3600 + minute * 60 + second)


def asctime(t=None, /):
    t = gmtime() if t is None else t
    return (f"{WEEKDAYS[t[6]][:3]} {MONTHS[t[1] - 1][:3]} {t[2]:2d} {t[3]:02d}:{t[4]:02d}:{t[5]:02d} {t[0]}")


def ctime(seconds=None, /):
    return asctime(gmtime(seconds))


def strftime(format, t=None, /):
    t = gmtime() if t is None else t
    return format_time(format, t[0], t[1], t[2], t[3], t[4], t[5], "", "+0000", "UTC")


def strptime(string, format="%a %b %d %H:%M:%S %Y", /):
    from datetime._parsing import parse_time

    fields, _, _ = parse_time(string, format)
    year, month, day = fields[:3]
    return struct_time((*fields[:6], (to_ordinal(year, month, day) - 1) % 7, day_of_year(year, month, day), -1))
