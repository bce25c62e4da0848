# SPDX-License-Identifier: GPL-3.0-or-later
# Python's time on a machine whose clocks stand still.

from _refusal import refused_names

globals().update(refused_names("time", "a traced program knows no clock",
                               "asctime clock_getres ctime gmtime localtime mktime strftime strptime", "struct_time"))
timezone = altzone = daylight = 0
tzname = ("UTC", "UTC")


def time():
    return 0.0


def time_ns():
    return 0


perf_counter = monotonic = process_time = thread_time = time
perf_counter_ns = monotonic_ns = process_time_ns = thread_time_ns = time_ns


def sleep(secs):
    if secs < 0:
        raise ValueError("sleep length must be non-negative")
