# SPDX-License-Identifier: GPL-3.0-or-later
# datetime, and what of time does not ask the clock.

# --- timedelta_values
from datetime import timedelta as T
for t in (T(), T(1), T(days=-1), T(hours=25, minutes=-3), T(microseconds=-1), T(weeks=1, milliseconds=5), T(0.5), T(seconds=1.25), T(days=1, seconds=86400 * 2 + 1), T(microseconds=0.6), T(seconds=-0.1), T(1, 2, 3, 4, 5, 6, 7), T(hours=1.1)):
    print(repr(t), t, t.days, t.seconds, t.microseconds, t.total_seconds(), bool(t), hash(t) == hash(T(t.days, t.seconds, t.microseconds)))
a, b = T(hours=5), T(minutes=7, seconds=3)
print(a + b, a - b, -b, abs(-b), a * 3, 3 * a, a * 1.5, a / b, a // b, a % b, divmod(a, b), a / 7, a // 7, a / 2.5, a > b, a == T(minutes=300), a != b, sorted([a, b, -a]), a <= b, +a, sum([a, b], T()))
print(T.min, T.max, T.resolution, repr(T.max), T(microseconds=5) / 2, T(microseconds=7) / 2, T(microseconds=3) * 0.5)
for bad in (lambda: T(days=10**9), lambda: T.max + T(1), lambda: a / 0, lambda: a // T(), lambda: a + 1, lambda: T("a"), lambda: a < 3, lambda: a / 0.0, lambda: 1 / a, lambda: a * a):
    try:
        print(bad())
    except (OverflowError, ZeroDivisionError, TypeError) as error:
        print(type(error).__name__, str(error)[:20])

# --- date_values
from datetime import date, timedelta
for d in (date(2024, 2, 29), date(1, 1, 1), date(9999, 12, 31), date(2000, 12, 31), date(1900, 3, 1), date(2021, 1, 3), date(2020, 12, 31), date(2018, 12, 31)):
    print(repr(d), d, d.weekday(), d.isoweekday(), d.toordinal(), tuple(d.isocalendar()), d.isocalendar(), d.ctime(), d.timetuple(), date.fromordinal(d.toordinal()) == d, d.strftime("%Y-%j-%U-%W-%V-%u-%w"))
d = date(2024, 2, 29)
print(d + timedelta(1), d - timedelta(366), d - date(2023, 1, 1), timedelta(5) + d, d.replace(day=1), d < date(2025, 1, 1), d == date(2024, 2, 29), d != 3, hash(d) == hash(date(2024, 2, 29)), f"{d:%d.%m.%y}", f"{d}", date.min, date.max, date.resolution)
print(date.fromisoformat("2024-05-01"), date.fromisoformat("20240501"), date.fromisoformat("2024-W18-3"), date.fromisoformat("2024W183"), date.fromisoformat("2024-W18"), date.fromisocalendar(2020, 53, 7), date.fromtimestamp(10**9))
for bad in (lambda: date(2023, 2, 29), lambda: date(0, 1, 1), lambda: date(2000, 13, 1), lambda: date(2000, 1, 0), lambda: date.fromisoformat("2024-5-1"), lambda: date.fromisoformat(3), lambda: d + 1, lambda: d < 3, lambda: date.max + timedelta(1), lambda: date.fromordinal(0), lambda: date("a", 1, 1), lambda: date(1.5, 1, 1), lambda: date.fromisocalendar(2021, 53, 1), lambda: date.fromisoformat("2024-0501"), lambda: 3 - d):
    try:
        print(bad())
    except (ValueError, TypeError, OverflowError) as error:
        # the names of C's classes have their module
        print(type(error).__name__, str(error).replace("datetime.", ""))

# --- datetime_values
from datetime import datetime, date, time, timedelta
for d in (datetime(2024, 2, 29, 13, 5, 9), datetime(2024, 1, 1), datetime(1999, 12, 31, 23, 59, 59, 999999), datetime(2024, 1, 1, 0, 30, fold=1)):
    print(repr(d), d, d.date(), repr(d.time()), d.isoformat(), d.isoformat(" ", "minutes"), d.isoformat(timespec="milliseconds"), d.ctime(), d.timetuple(), d.hour, d.minute, d.second, d.microsecond, d.fold, d.tzinfo, d.weekday())
    print(d.strftime("%a %A %b %B %d %e %H %I %j %m %M %p %S %f %U %w %W %y %Y %G %V %u %% %x %X %c|%Z|%z|%D %F %T %R %h %C %n%t"))
d = datetime(2024, 2, 29, 13, 5, 9)
print(d + timedelta(hours=12), d - timedelta(days=60, microseconds=1), d - datetime(2024, 1, 1), d.replace(month=3, hour=0), d < datetime(2025, 1, 1), d == date(2024, 2, 29), d == datetime(2024, 2, 29, 13, 5, 9), isinstance(d, date), datetime.combine(date(2020, 1, 2), time(3, 4)), datetime.min, datetime.max, f"{d:%H:%M}", hash(d) == hash(datetime(2024, 2, 29, 13, 5, 9)), datetime.fromordinal(700000), max(d, datetime.min))
for bad in (lambda: datetime(2024, 1, 1, 24), lambda: datetime(2024, 1, 1, 0, 60), lambda: datetime(2024, 1, 1, 0, 0, 60), lambda: datetime(2024, 1, 1, 0, 0, 0, 10**6), lambda: datetime(2024, 1, 1, tzinfo=3), lambda: d < date(2024, 1, 1), lambda: d + 1, lambda: d - 1, lambda: datetime.max + timedelta(1), lambda: d.isoformat(timespec="x"), lambda: datetime(2024, 2, 30), lambda: d < 3, lambda: d + d):
    try:
        print(bad())
    except (ValueError, TypeError, OverflowError) as error:
        # the names of C's classes have their module
        print(type(error).__name__, str(error).replace("datetime.", ""))

# --- datetime_zones
from datetime import datetime, timedelta, timezone, tzinfo, time, UTC
z = timezone(timedelta(hours=2))
d = datetime(2024, 3, 1, 12, 0, tzinfo=z)
print(repr(d), d, d.isoformat(), d.utcoffset(), d.tzname(), d.dst(), d.astimezone(timezone.utc), d.timestamp(), d.strftime("%z %Z"), d.utctimetuple(), d.timetz(), d.time(), d.replace(tzinfo=None))
print(repr(timezone.utc), timezone.utc, repr(z), z, repr(timezone(timedelta(hours=-5, minutes=-30), "X")), timezone(timedelta(hours=-5, minutes=-30)), timezone(timedelta(seconds=3601)), UTC is timezone.utc, timezone(timedelta(0)) is timezone.utc, z == timezone(timedelta(hours=2)), hash(z) == hash(timezone(timedelta(hours=2))), timezone.min, timezone.max)
print(d == datetime(2024, 3, 1, 10, 0, tzinfo=UTC), d - datetime(2024, 3, 1, tzinfo=UTC), d < datetime(2024, 3, 1, 10, 1, tzinfo=UTC), d == datetime(2024, 3, 1, 12), datetime.fromtimestamp(1.5, z), datetime.fromtimestamp(1709287200, UTC), datetime(2024, 1, 1, tzinfo=UTC).timestamp(), d + timedelta(1), hash(d) == hash(datetime(2024, 3, 1, 10, 0, tzinfo=UTC)))
class East(tzinfo):
    def utcoffset(self, dt):
        return timedelta(hours=3)
    def dst(self, dt):
        return timedelta(0)
    def tzname(self, dt):
        return "East"
e = datetime(2024, 1, 1, tzinfo=East())
print(e, e.tzname(), e.astimezone(UTC), d.astimezone(East()), time(1, 2, tzinfo=z), time(1, tzinfo=z) < time(1, tzinfo=UTC), time(3, tzinfo=z) == time(1, tzinfo=UTC))
for bad in (lambda: d < datetime(2024, 1, 1), lambda: d - datetime(2024, 1, 1), lambda: timezone(3), lambda: timezone(timedelta(1)), lambda: tzinfo().utcoffset(None), lambda: datetime.now(3), lambda: time(1) < time(1, tzinfo=z)):
    try:
        print(bad())
    except (TypeError, ValueError, NotImplementedError) as error:
        print(type(error).__name__, error)

# --- time_of_day
from datetime import time
for t in (time(), time(1), time(1, 2), time(1, 2, 3), time(1, 2, 3, 4), time(23, 59, fold=1)):
    print(repr(t), t, t.isoformat("hours"), t.isoformat("microseconds"), bool(t), t.strftime("%H-%M-%S-%f %p %I"), t.replace(hour=5), f"{t:%H}")
print(time(1) < time(2), time(1) == time(1), hash(time(1)) == hash(time(1)), time.min, time.max, time.fromisoformat("12:30"), time.fromisoformat("T1230"), time.fromisoformat("12:30:15.5"), time.fromisoformat("12:30+01:00"), time.fromisoformat("12"), repr(time.fromisoformat("01:02:03.123456789Z")), time(1) == 3)
for bad in (lambda: time(24), lambda: time.fromisoformat("1:2"), lambda: time.fromisoformat("12:3"), lambda: time(1) < 3, lambda: time.fromisoformat("25:00")):
    try:
        print(bad())
    except (ValueError, TypeError) as error:
        print(type(error).__name__, str(error).replace("datetime.", ""))

# --- datetime_of_texts
from datetime import datetime
for text in ("2024-05-01", "2024-05-01T12:30", "2024-05-01 12:30:15", "20240501T123015", "2024-05-01T12:30:15.250", "2024-05-01T12:30:15+02:00", "2024-05-01T12:30:15Z", "2024-05-01T12:30:15.123456-05:30", "2024-W18-3T10", "2024W183T10:00", "20240501", "2024-05-01T1230"):
    print(repr(datetime.fromisoformat(text)))
for text in ("2024", "2024-05", "2024-05-01T", "2024-05-01T1", "x", "2024-13-01", "2024-05-01T12:30:15+2", ""):
    try:
        print(datetime.fromisoformat(text))
    except ValueError as error:
        print(text, error)
for text, format in (("2024-05-01 12:30:15", "%Y-%m-%d %H:%M:%S"), ("1/2/03", "%d/%m/%y"), ("01 Feb 70", "%d %b %y"), ("12:05 PM", "%I:%M %p"), ("12 AM", "%I %p"), ("2024-123", "%Y-%j"), ("Mon, 05 Feb 2024 +0130", "%a, %d %B %Y %z"), ("2024-05-01T10:00:00.25Z", "%Y-%m-%dT%H:%M:%S.%f%z"), ("5February", "%d%B"), ("100%", "1%H%%"), ("20240501123015", "%Y%m%d%H%M%S"), ("Tue Jan  2 03:04:05 2024", "%c"), ("a  b", "a b"), ("12/31/99", "%x")):
    try:
        print(repr(datetime.strptime(text, format)))
    except ValueError as error:
        print(text, format, error)
for text, format in (("2024", "%Y-%m"), ("2024-05-01x", "%Y-%m-%d"), ("2024-02-30", "%Y-%m-%d"), ("a", "%Q"), ("a", "%"), ("13", "%m"), ("x", "%d"), ("", "%Y")):
    try:
        print(datetime.strptime(text, format))
    except ValueError as error:
        print(error)

# --- datetime_copies_and_subclasses
from datetime import datetime, date, timedelta
import copy
print(copy.copy(datetime(2024, 1, 2, 3)), copy.deepcopy([date(2024, 1, 2), timedelta(3)]))
class Own(date):
    def next(self):
        return self + timedelta(1)
print(repr(Own(2024, 1, 31).next()), type(Own(2024, 1, 1)).__name__, Own.fromisoformat("2024-01-01").next())
class OwnMoment(datetime):
    pass
print(repr(OwnMoment(2024, 1, 1) + timedelta(1)))

# --- time_of_fixed_moments
import time
t = time.gmtime(0)
print(t, t.tm_year, t[0], t.tm_yday, time.gmtime(1709287200.9)[:6], time.gmtime(-1), time.strftime("%Y-%m-%d %H:%M:%S", t), time.asctime(t), time.strftime("%a %j %p", time.gmtime(10**9)), time.asctime(time.gmtime(10**9)))
print(time.strptime("2024-05-01", "%Y-%m-%d"), len(t), tuple(t), t < time.gmtime(5), time.struct_time((1, 2, 3, 4, 5, 6, 7, 8, 9)), time.strftime("%d.%m", (2024, 5, 1, 0, 0, 0, 0, 0, 0)))
pause = time.sleep
print(type(time.time()), type(time.perf_counter()), type(time.time_ns()), time.perf_counter() - time.perf_counter() <= 0, pause(0))
for bad in (lambda: pause(-1), lambda: time.struct_time((1, 2))):
    try:
        bad()
    except (ValueError, TypeError) as error:
        print(error)
