# SPDX-License-Identifier: GPL-3.0-or-later
# strptime().

from datetime._calendar import MONTHS, WEEKDAYS, days_in_month, from_ordinal, to_ordinal

# sign: the most digits, the least and the greatest number
_NUMBERS = {"Y": (4, 0, 9999), "m": (2, 1, 12), "d": (2, 1, 31), "H": (2, 0, 23), "I": (2, 1, 12), "M": (2, 0, 59),
            "S": (2, 0, 61), "f": (6, 0, 999999), "y": (2, 0, 99), "j": (3, 1, 366), "w": (1, 0, 6)}
_WHOLE = {"T": "%H:%M:%S", "X": "%H:%M:%S", "D": "%m/%d/%y", "x": "%m/%d/%y", "R": "%H:%M", "F": "%Y-%m-%d",
          "c": "%a %b %d %H:%M:%S %Y"}


def _digits(text, at, most):
    end = at
    while end < len(text) and end - at < most and text[end].isascii() and text[end].isdigit():
        end += 1
    return end


def _name(text, at, names):
    for number, name in enumerate(names):
        if text[at:at + len(name)].lower() == name.lower():
            return number, at + len(name)
    return None, at


def _offset(text, at):
    """Seconds of "+01:00", "-0130" or "Z"; None where there are none."""
    if text[at:at + 1] == "Z":
        return 0, at + 1
    if text[at:at + 1] not in ("+", "-"):
        return None, at
    sign, at = -1 if text[at] == "-" else 1, at + 1
    parts = []
    for most in range(3):
        if most and text[at:at + 1] == ":":
            at += 1
        if _digits(text, at, 2) - at != 2:
            break
        parts.append(int(text[at:at + 2]))
        at += 2
    if len(parts) < 2:
        return None, at
    hours, minutes, seconds = (parts + [0])[:3]
    return sign * (hours * 3600 + minutes * 60 + seconds), at


def parse_time(text, format):
    """(year, month, day, hour, minute, second, microsecond), seconds from UTC or None, the zone's name or None."""
    if not isinstance(text, str):
        raise TypeError(f"strptime() argument 0 must be str, not {type(text)!r}")
    if not isinstance(format, str):
        raise TypeError(f"strptime() argument 1 must be str, not {type(format)!r}")
    whole = format
    for sign, meaning in _WHOLE.items():
        whole = whole.replace("%" + sign, meaning)
    found, at = _fields(text, whole, format)
    if at < len(text):
        raise ValueError(f"unconverted data remains: {text[at:]}")
    year = found.get("Y", 1900)
    if "y" in found:
        year = found["y"] + (1900 if found["y"] >= 69 else 2000)
    month, day = found.get("m", 1), found.get("d", 1)
    if "j" in found and "m" not in found:
        year, month, day = from_ordinal(to_ordinal(year, 1, 1) + found["j"] - 1)
    if day > days_in_month(year, month):
        raise ValueError("day is out of range for month")
    hour = found.get("H", 0)
    if "I" in found:
        hour = found["I"] % 12 + 12 * found.get("p", 0)
    fields = year, month, day, hour, found.get("M", 0), found.get("S", 0), found.get("f", 0)
    return fields, found.get("z"), found.get("Z")


def _fields(text, whole, format):
    fault = ValueError(f"time data {text!r} does not match format {format!r}")
    found, at, sign = {}, 0, 0
    while sign < len(whole):
        character = whole[sign]
        sign += 1
        if character.isspace():
            start = at
            while at < len(text) and text[at].isspace():
                at += 1
            if at == start:
                raise fault
            while sign < len(whole) and whole[sign].isspace():
                sign += 1
            continue
        if character != "%":
            if text[at:at + 1].lower() != character.lower():
                raise fault
            at += 1
            continue
        if sign == len(whole):
            raise ValueError(f"stray % in format {format!r}")
        code = whole[sign]
        sign += 1
        value, at = _field(text, at, code, format)
        if value is None:
            raise fault
        if code in "aAw%":
            continue
        found["m" if code in "bBh" else code] = value + 1 if code in "bBh" else value
    return found, at


def _field(text, at, code, format):
    if code in _NUMBERS:
        most, low, high = _NUMBERS[code]
        if code == "d" and text[at:at + 1] == " ":
            at += 1
        end = _digits(text, at, most)
        # as many digits as make a number that may be
        while end > at and int(text[at:end]) > high:
            end -= 1
        if end == at or int(text[at:end]) < low or code == "Y" and end - at != 4 or code == "y" and end - at != 2:
            return None, at
        digits = text[at:end]
        return int(digits.ljust(6, "0") if code == "f" else digits), end
    if code in "bh":
        return _name(text, at, [name[:3] for name in MONTHS])
    if code == "B":
        return _name(text, at, MONTHS)
    if code == "a":
        return _name(text, at, [name[:3] for name in WEEKDAYS])
    if code == "A":
        return _name(text, at, WEEKDAYS)
    if code == "p":
        return _name(text, at, ("AM", "PM"))
    if code == "z":
        return _offset(text, at)
    if code == "Z":
        number, end = _name(text, at, ("UTC", "GMT"))
        return (None if number is None else ("UTC", "GMT")[number]), end
    if code == "%":
        return (0, at + 1) if text[at:at + 1] == "%" else (None, at)
    raise ValueError(f"{code!r} is a bad directive in format {format!r}")
