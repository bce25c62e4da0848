# SPDX-License-Identifier: GPL-3.0-or-later
# unify finds values of variables; reify puts them in.
from collections.abc import Iterator
from .variable import hashable, isvar

__all__ = ['reify', 'unify']

# Classes that unify and reify look into, by the functions for them; more.py adds to them.
_unifiers = {}
_reifiers = {}


def _for(table, value):
    for cls in type(value).__mro__:
        if cls in table:
            return table[cls]
    return None


def reify(e, s):
    if isvar(e):
        return reify(s[e], s) if e in s else e
    inside = _for(_reifiers, e)
    if inside is not None:
        return inside(e, s)
    if isinstance(e, tuple):
        return tuple(reify(part, s) for part in e)
    if isinstance(e, list):
        return [reify(part, s) for part in e]
    if isinstance(e, dict):
        return {key: reify(value, s) for key, value in e.items()}
    if isinstance(e, Iterator):
        return map(lambda part: reify(part, s), e)
    return e


def _walk(key, s):
    while hashable(key) and key in s:
        key = s[key]
    return key


def _unify_parts(u, v, s):
    if len(u) != len(v):
        return False
    for left, right in zip(u, v):
        s = unify(left, right, s)
        if s is False:
            return False
    return s


def unify(u, v, s=None):
    s = {} if s is None else s
    u, v = _walk(u, s), _walk(v, s)
    if u == v:
        return s
    if isvar(u):
        return {**s, u: v}
    if isvar(v):
        return {**s, v: u}
    sequences = (tuple, list, Iterator)
    if isinstance(u, sequences) and isinstance(v, sequences):
        return _unify_parts(u, v, s)
    inside = _for(_unifiers, u)
    if inside is not None and inside is _for(_unifiers, v):
        return inside(u, v, s)
    raise NotImplementedError(f"Could not find signature for _unify: <{type(u).__name__}, {type(v).__name__}, dict>")
