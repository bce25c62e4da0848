# SPDX-License-Identifier: GPL-3.0-or-later
# What the messages of unittest are made of: short texts of values, and how two lists of lines differ.

from collections import Counter, namedtuple
from difflib import SequenceMatcher
from os.path import commonprefix

_MAX_LENGTH = 80
_PLACEHOLDER_LEN = 12  # of "[123 chars]"
_MIN_LEN = 5           # of what stays at an end
_MIN_DIFF_LEN = _MAX_LENGTH - 3 * _MIN_LEN - 2 * _PLACEHOLDER_LEN
_Mismatch = namedtuple("Mismatch", "actual expected value")


def safe_repr(obj, short=False):
    try:
        result = repr(obj)
    except Exception:
        result = object.__repr__(obj)
    return result if not short or len(result) < _MAX_LENGTH else result[:_MAX_LENGTH] + " [truncated]..."


def strclass(cls):
    return f"{cls.__module__}.{cls.__qualname__}"


def _shorten(text, begin, end):
    skipped = len(text) - begin - end
    return f"{text[:begin]}[{skipped} chars]{text[len(text) - end:]}" if skipped > _PLACEHOLDER_LEN else text


def _common_shorten_repr(*args):
    texts = tuple(map(safe_repr, args))
    longest = max(map(len, texts))
    if longest <= _MAX_LENGTH:
        return texts
    prefix = commonprefix(texts)
    size = len(prefix)
    kept = _MAX_LENGTH - (longest - size + _MIN_LEN + _PLACEHOLDER_LEN)
    if kept > _MIN_LEN:
        prefix = _shorten(prefix, _MIN_LEN, kept)
        return tuple(prefix + text[size:] for text in texts)
    prefix = _shorten(prefix, _MIN_LEN, _MIN_LEN)
    return tuple(prefix + _shorten(text[size:], _MIN_DIFF_LEN, _MIN_LEN) for text in texts)


def three_way_cmp(x, y):
    return (x > y) - (x < y)


def _count_diff_all_purpose(actual, expected):
    """Of values that may have no hash."""
    found, left = [], list(expected)
    rest = list(actual)
    while rest:
        value = rest[0]
        ours, theirs = rest.count(value), left.count(value)
        rest = [other for other in rest if not other == value]
        left = [other for other in left if not other == value]
        if ours != theirs:
            found.append(_Mismatch(ours, theirs, value))
    while left:
        value = left[0]
        found.append(_Mismatch(0, left.count(value), value))
        left = [other for other in left if not other == value]
    return found


def _count_diff_hashable(actual, expected):
    ours, theirs = Counter(actual), Counter(expected)
    found = [_Mismatch(count, theirs.get(value, 0), value) for value, count in ours.items() if count != theirs.get(value, 0)]
    return found + [_Mismatch(0, count, value) for value, count in theirs.items() if value not in ours]


def _signed(sign, lines):
    return [f"{sign} {line}" for line in lines]


def _marks(line, marks):
    kept = "".join(character if mark == " " and character.isspace() else mark for character, mark in zip(line, marks))
    return [f"? {kept.rstrip()}\n"] if kept.strip() else []


def _compared(old, new):
    """Two similar lines, with marks below what differs."""
    above = below = ""
    for tag, begin, end, other_begin, other_end in SequenceMatcher(_is_blank, old, new).get_opcodes():
        above += {"equal": " ", "replace": "^", "delete": "-", "insert": ""}[tag] * (end - begin)
        below += {"equal": " ", "replace": "^", "delete": "", "insert": "+"}[tag] * (other_end - other_begin)
    return [f"- {old}", *_marks(old, above), f"+ {new}", *_marks(new, below)]


def _is_blank(character):
    return character in " \t"


def _most_similar(old, new):
    """The places of the two lines that are most alike but not the same, else of two that are the same."""
    best, places, same = 0.74, None, None
    matcher = SequenceMatcher(_is_blank)
    for at, line in enumerate(new):
        matcher.set_seq2(line)
        for place, other in enumerate(old):
            if other == line:
                same = same or (place, at)
                continue
            matcher.set_seq1(other)
            if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
                best, places = matcher.ratio(), (place, at)
    return (places, False) if places and best >= 0.75 else (same, True)


def _replaced(old, new):
    if not old or not new:
        return _signed("-", old) + _signed("+", new)
    places, is_same = _most_similar(old, new)
    if places is None:
        return _signed("+", new) + _signed("-", old) if len(new) < len(old) else _signed("-", old) + _signed("+", new)
    at, other = places
    middle = [f"  {old[at]}"] if is_same else _compared(old[at], new[other])
    return _replaced(old[:at], new[:other]) + middle + _replaced(old[at + 1:], new[other + 1:])


def _ndiff(old, new):
    """What difflib.ndiff gives, as a list."""
    found = []
    for tag, begin, end, other_begin, other_end in SequenceMatcher(None, old, new).get_opcodes():
        if tag == "equal":
            found += _signed(" ", old[begin:end])
        else:
            found += _replaced(old[begin:end], new[other_begin:other_end])
    return found
