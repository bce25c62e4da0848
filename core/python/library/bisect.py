# SPDX-License-Identifier: GPL-3.0-or-later
# Python's bisect.


def _find(a, goes_right, lo, hi):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    hi = len(a) if hi is None else hi
    while lo < hi:
        middle = (lo + hi) // 2
        if goes_right(a[middle]):
            lo = middle + 1
        else:
            hi = middle
    return lo


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    return _find(a, (lambda item: item < x) if key is None else (lambda item: key(item) < x), lo, hi)


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    return _find(a, (lambda item: not x < item) if key is None else (lambda item: not x < key(item)), lo, hi)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


bisect, insort = bisect_right, insort_right
