# SPDX-License-Identifier: GPL-3.0-or-later
# Python's fnmatch: names against patterns of *, ? and [...], without regular expressions.

__all__ = ["filter", "fnmatch", "fnmatchcase", "translate"]


def _parts(pattern):
    """'*', '?', one character in a list, or (negated, ranges)."""
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        at += 1
        if sign == "[":
            # the first character of a set may be "]"
            close = at + (pattern[at:at + 1] == "!")
            close = pattern.find("]", close + 1)
            if close >= 0:
                yield _set(pattern[at:close])
                at = close + 1
                continue
        yield sign if sign in ("*", "?") else [sign]


def _set(inner):
    negated = inner.startswith("!")
    inner = inner[negated:]
    ranges, at = [], 0
    while at < len(inner):
        if inner[at + 1:at + 2] == "-" and at + 2 < len(inner):
            ranges.append((inner[at], inner[at + 2]))
            at += 3
        else:
            ranges.append((inner[at], inner[at]))
            at += 1
    return negated, [pair for pair in ranges if pair[0] <= pair[1]]


def _fits(part, character):
    if part == "?":
        return True
    if isinstance(part, list):
        return part[0] == character
    negated, ranges = part
    return any(low <= character <= high for low, high in ranges) != negated


def _matches(name, parts):
    at = used = resume = 0
    star = -1
    while at < len(name):
        if used < len(parts) and parts[used] == "*":
            star, resume = used, at
            used += 1
        elif used < len(parts) and _fits(parts[used], name[at]):
            used += 1
            at += 1
        elif star >= 0:
            # the last star takes one character more
            resume += 1
            at, used = resume, star + 1
        else:
            return False
    return all(part == "*" for part in parts[used:])


def _texts(name, pattern):
    if isinstance(name, bytes) and isinstance(pattern, bytes):
        return name.decode("latin-1"), pattern.decode("latin-1")
    if isinstance(pattern, bytes):
        raise TypeError("cannot use a bytes pattern on a string-like object")
    if isinstance(name, bytes):
        raise TypeError("cannot use a string pattern on a bytes-like object")
    return name, pattern


def fnmatchcase(name, pat):
    name, pat = _texts(name, pat)
    return _matches(name, list(_parts(pat)))


def fnmatch(name, pat):
    from os import fspath

    return fnmatchcase(fspath(name), fspath(pat))


def filter(names, pat):
    from os import fspath

    return [name for name in names if fnmatchcase(fspath(name), fspath(pat))]


def _escaped(text):
    special = " \t\n\r\v\f#$&()*+-.?[\\]^{|}~"
    return "".join("\\" + character if character in special else character for character in text)


def translate(pat):
    """A regular expression that matches the same names."""
    out = ""
    for part in _parts(pat):
        if isinstance(part, tuple):
            negated, ranges = part
            inner = "".join(_escaped(low) if low == high else f"{_escaped(low)}-{_escaped(high)}"
                            for low, high in ranges)
            out += f"[{'^' * negated}{inner}]" if inner else "." if negated else "(?!)"
        elif isinstance(part, list):
            out += _escaped(part[0])
        elif part == "?":
            out += "."
        elif not out.endswith(".*"):
            out += ".*"
    return rf"(?s:{out})\Z"
