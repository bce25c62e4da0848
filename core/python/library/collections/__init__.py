# SPDX-License-Identifier: GPL-3.0-or-later
# Python's collections: dicts with manners, deque, named tuples. Each class has a file of its own or is here.

from collections.chain_map import ChainMap, UserDict, UserList
from collections.counter import Counter
from collections.double_ended import deque
from collections.named_tuple import namedtuple
from reprlib import recursive_repr

__all__ = ["ChainMap", "Counter", "OrderedDict", "UserDict", "UserList", "defaultdict", "deque", "namedtuple"]


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        if key not in self:
            raise KeyError(key)
        others = [] if last else [(other, value) for other, value in self.items() if other != key]
        dict.__setitem__(self, key, dict.pop(self, key))
        for other, value in others:
            dict.pop(self, other)
            dict.__setitem__(self, other, value)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = next(reversed(self) if last else iter(self))
        return key, self.pop(key)

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and list(self) == list(other)
        return dict.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    @recursive_repr()
    def __repr__(self):
        name = type(self).__name__
        return f"{name}({list(self.items())!r})" if self else f"{name}()"

    def copy(self):
        return type(self)(self)

    __copy__ = copy

    @classmethod
    def fromkeys(cls, iterable, value=None):
        result = cls()
        for key in iterable:
            result[key] = value
        return result

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = type(self)(other)
        result.update(self)
        return result


class defaultdict(dict):
    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__(*args, **kwargs)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        self[key] = value = self.default_factory()
        return value

    @recursive_repr("defaultdict(...)")
    def __repr__(self):
        return f"{type(self).__name__}({self.default_factory!r}, {dict.__repr__(self)})"

    def copy(self):
        return type(self)(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = type(self)(self.default_factory, other)
        result.update(self)
        return result

    def __deepcopy__(self, memo):
        from copy import deepcopy

        result = memo[id(self)] = type(self)(self.default_factory)
        for key, value in self.items():
            result[deepcopy(key, memo)] = deepcopy(value, memo)
        return result
