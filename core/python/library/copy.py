# SPDX-License-Identifier: GPL-3.0-or-later
# Python's copy. What has no way of its own is copied by class and __dict__; functions, classes, modules and constants
# are shared.

from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType, ModuleType

__all__ = ["Error", "copy", "deepcopy"]


class Error(Exception):
    pass


error = Error
_shared = (type(None), bool, int, float, complex, str, bytes, range, slice, type, FunctionType, BuiltinFunctionType,
           ModuleType, property, type(...), type(NotImplemented))


def _own(cls, name):
    """A method that a class of the program defines itself."""
    for base in cls.__mro__:
        if base is not object and name in vars(base):
            return getattr(cls, name)


def _refuse(x):
    if isinstance(x, GeneratorType):
        raise TypeError("cannot pickle 'generator' object")


def _blank(cls, x):
    for plain in (tuple, str, int, float, complex, bytes, frozenset):
        if isinstance(x, plain):
            return plain.__new__(cls, x)
    if isinstance(x, BaseException):
        return cls.__new__(cls, *x.args)
    return cls.__new__(cls)


def _state(x):
    """What __getstate__ gives, or the attributes: those of __dict__ and those of __slots__."""
    if _own(type(x), "__getstate__"):
        return x.__getstate__()
    slots = {}
    for base in type(x).__mro__:
        names = vars(base).get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in ("__dict__", "__weakref__") and hasattr(x, name):
                slots[name] = getattr(x, name)
    names = dict(getattr(x, "__dict__", ()))
    return (names, slots) if slots else names


def _set_state(x, state):
    if _own(type(x), "__setstate__"):
        if state:
            x.__setstate__(state)
    elif isinstance(state, tuple):
        names, slots = state
        if names:
            x.__dict__.update(names)
        for name, value in slots.items():
            object.__setattr__(x, name, value)
    elif state:
        x.__dict__.update(state)


def _reduced(x, copied):
    """By __reduce__: a function, its arguments, perhaps a state."""
    function, args, *more = x.__reduce__()
    result = function(*copied(args))
    if more and more[0]:
        _set_state(result, copied(more[0]))
    return result


def copy(x):
    cls = type(x)
    if isinstance(x, _shared) and cls in _shared or isinstance(x, type):
        return x
    if cls in (list, dict, set, bytearray):
        return x.copy()
    if cls in (tuple, frozenset):
        return x
    method = getattr(cls, "__copy__", None)
    if method is not None:
        return method(x)
    _refuse(x)
    if _own(cls, "__reduce__") and not isinstance(x, (list, dict, set)):
        return _reduced(x, lambda part: part)
    if not hasattr(x, "__dict__") and not isinstance(x, (list, dict, set)) and not hasattr(cls, "__slots__"):
        return x
    result = _blank(cls, x)
    _fill(result, x, lambda part: part)
    _set_state(result, _state(x))
    return result


def _fill(result, x, copied):
    """The items of subclasses of list, dict and set."""
    if isinstance(x, list):
        for item in list.__iter__(x):
            list.append(result, copied(item))
    elif isinstance(x, dict):
        for key, value in dict.items(x):
            dict.__setitem__(result, copied(key), copied(value))
    elif isinstance(x, set):
        for item in set.__iter__(x):
            set.add(result, copied(item))


def deepcopy(x, memo=None, _nil=[]):
    if memo is None:
        memo = {}
    known = memo.get(id(x), _nil)
    if known is not _nil:
        return known
    cls = type(x)
    if isinstance(x, _shared) and cls in _shared or isinstance(x, type):
        return x
    # each original is kept, so that its id is not given to another
    memo.setdefault(id(memo), []).append(x)
    result = _deep(x, cls, memo)
    if result is not x:
        memo[id(x)] = result
    return result


def _deep(x, cls, memo):
    if cls is list:
        result = memo[id(x)] = []
        for item in x:
            result.append(deepcopy(item, memo))
        return result
    if cls is dict:
        result = memo[id(x)] = {}
        for key, value in x.items():
            result[deepcopy(key, memo)] = deepcopy(value, memo)
        return result
    if cls is tuple:
        items = [deepcopy(item, memo) for item in x]
        if id(x) in memo:
            return memo[id(x)]
        return x if all(a is b for a, b in zip(items, x)) else tuple(items)
    if cls in (set, frozenset):
        return cls([deepcopy(item, memo) for item in x])
    if cls is bytearray:
        return x.copy()
    if isinstance(x, type):
        return x
    method = getattr(x, "__deepcopy__", None)
    if method is not None:
        return method(memo)
    if cls is MethodType:
        return MethodType(x.__func__, deepcopy(x.__self__, memo))
    _refuse(x)
    if _own(cls, "__reduce__") and not isinstance(x, (list, dict, set)):
        return _reduced(x, lambda part: deepcopy(part, memo))
    if not hasattr(x, "__dict__") and not isinstance(x, (list, dict, set)) and not hasattr(cls, "__slots__"):
        return x
    if isinstance(x, tuple):
        result = tuple.__new__(cls, [deepcopy(item, memo) for item in x])
    else:
        result = _blank(cls, x)
    memo[id(x)] = result
    _fill(result, x, lambda part: deepcopy(part, memo))
    _set_state(result, deepcopy(_state(x), memo))
    return result
