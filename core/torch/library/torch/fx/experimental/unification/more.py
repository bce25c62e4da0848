# SPDX-License-Identifier: GPL-3.0-or-later
# Unification of objects by their attributes, for classes that are said to be `unifiable`, and of slices.
from .core import _reifiers, _unifiers, reify, unify

__all__ = ['unifiable', 'reify_object', 'unify_object']


def unifiable(cls):
    _unifiers[cls] = unify_object
    _reifiers[cls] = reify_object
    return cls


def reify_object(o, s):
    slots = hasattr(o, '__slots__')
    old = [getattr(o, name) for name in o.__slots__] if slots else o.__dict__
    new = reify(old, s)
    if new == old:
        return o
    made = object.__new__(type(o))
    for name, value in zip(o.__slots__, new) if slots else new.items():
        setattr(made, name, value)
    return made


def unify_object(u, v, s):
    if type(u) is not type(v):
        return False
    if hasattr(u, '__slots__'):
        return unify([getattr(u, name) for name in u.__slots__], [getattr(v, name) for name in v.__slots__], s)
    return unify(u.__dict__, v.__dict__, s)


def _ends(o):
    return (o.start, o.stop, o.step)


_unifiers[slice] = lambda u, v, s: unify(_ends(u), _ends(v), s)
_reifiers[slice] = lambda o, s: slice(*reify(_ends(o), s))
