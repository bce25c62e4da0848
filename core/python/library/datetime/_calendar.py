# SPDX-License-Identifier: GPL-3.0-or-later
# The Gregorian calendar, in days since 1 January of year 1, which is day 1; and strftime().

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_BEFORE = (0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year, month):
    return _BEFORE[month + 1] - _BEFORE[month] + (month == 2 and is_leap(year))


def day_of_year(year, month, day):
    return _BEFORE[month] + (month > 2 and is_leap(year)) + day


def _before_year(year):
    year -= 1
    return year * 365 + year // 4 - year // 100 + year // 400


def to_ordinal(year, month, day):
    return _before_year(year) + day_of_year(year, month, day)


def from_ordinal(number):
    year = max(1, number * 400 // 146097)
    while _before_year(year) >= number:
        year -= 1
    while _before_year(year + 1) < number:
        year += 1
    rest = number - _before_year(year)
    month = 12
    while day_of_year(year, month, 1) > rest:
        month -= 1
    return year, month, rest - day_of_year(year, month, 1) + 1


def iso_week(year, month, day):
    """The ISO year, week and weekday."""
    number = to_ordinal(year, month, day)
    weekday = (number - 1) % 7 + 1
    thursday = from_ordinal(number + 4 - weekday)
    return thursday[0], (day_of_year(*thursday) - 1) // 7 + 1, weekday


def format_time(format, year, month, day, hour, minute, second, micro, offset, zone):
    """`micro` is a text of six digits; `offset` one like "+0100"."""
    weekday = (to_ordinal(year, month, day) - 1) % 7
    nth = day_of_year(year, month, day)
    iso = iso_week(year, month, day)
    half = hour % 12 or 12
    signs = {
        "Y": str(year), "y": f"{year % 100:02d}", "C": f"{year // 100:02d}", "m": f"{month:02d}", "d": f"{day:02d}",
        "e": f"{day:2d}", "H": f"{hour:02d}", "I": f"{half:02d}", "k": f"{hour:2d}", "l": f"{half:2d}",
        "M": f"{minute:02d}", "S": f"{second:02d}", "f": micro, "p": "AM" if hour < 12 else "PM",
        "P": "am" if hour < 12 else "pm", "a": WEEKDAYS[weekday][:3], "A": WEEKDAYS[weekday],
        "b": MONTHS[month - 1][:3], "h": MONTHS[month - 1][:3], "B": MONTHS[month - 1], "j": f"{nth:03d}",
        "w": str((weekday + 1) % 7), "u": str(weekday + 1), "U": f"{(nth + 6 - (weekday + 1) % 7) // 7:02d}",
        "W": f"{(nth + 6 - weekday) // 7:02d}", "G": str(iso[0]), "g": f"{iso[0] % 100:02d}", "V": f"{iso[1]:02d}",
        "z": offset, "Z": zone, "n": "\n", "t": "\t", "%": "%"}
    signs["D"] = signs["x"] = f"{signs['m']}/{signs['d']}/{signs['y']}"
    signs["F"] = f"{year}-{signs['m']}-{signs['d']}"
    signs["R"] = f"{signs['H']}:{signs['M']}"
    signs["T"] = signs["X"] = f"{signs['R']}:{signs['S']}"
    signs["r"] = f"{signs['I']}:{signs['M']}:{signs['S']} {signs['p']}"
    signs["c"] = f"{signs['a']} {signs['b']} {signs['e']} {signs['T']} {year}"
    signs["s"] = str((to_ordinal(year, month, day) - 719163) * 86400 + hour * 3600 + minute * 60 + second)
    out, at = "", 0
    while at < len(format):
        if format[at] == "%" and at + 1 < len(format):
            at += 1
            # what is not known stays
            out += signs.get(format[at], "%" + format[at])
        else:
            out += format[at]
        at += 1
    return out
