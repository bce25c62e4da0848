# SPDX-License-Identifier: GPL-3.0-or-later
# Python's collections.abc: what counts as iterable, sequence, mapping ..., and the methods that these give for free.

from abc import abstractmethod
from collections.one_method import (AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Collection,
                                    Container, Coroutine, Generator, Hashable, Iterable, Iterator, Reversible, Sized)


class Sequence(Reversible, Collection):
    __module__ = "collections.abc"
    __slots__ = ()

    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        at = 0
        while True:
            try:
                item = self[at]
            except IndexError:
                return
            yield item
            at += 1

    def __contains__(self, value):
        return any(item is value or item == value for item in self)

    def __reversed__(self):
        for at in range(len(self) - 1, -1, -1):
            yield self[at]

    def index(self, value, start=0, stop=None):
        for at in range(*slice(start, stop).indices(len(self))):
            if self[at] is value or self[at] == value:
                return at
        raise ValueError

    def count(self, value):
        return sum(1 for item in self if item is value or item == value)


class ByteString(Sequence):
    __module__ = "collections.abc"
    __slots__ = ()


class MutableSequence(Sequence):
    __module__ = "collections.abc"
    __slots__ = ()

    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    def extend(self, values):
        for value in list(values) if values is self else values:
            self.append(value)

    def __iadd__(self, values):
        self.extend(values)
        return self

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def clear(self):
        while len(self):
            self.pop()

    def reverse(self):
        count = len(self)
        for at in range(count // 2):
            self[at], self[count - 1 - at] = self[count - 1 - at], self[at]


class Set(Collection):
    __module__ = "collections.abc"
    __slots__ = ()

    @classmethod
    def _from_iterable(cls, items):
        return cls(items)

    def __le__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) <= len(other) and all(item in other for item in self)

    def __lt__(self, other):
        return len(self) < len(other) and self <= other if isinstance(other, Set) else NotImplemented

    def __ge__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) >= len(other) and all(item in self for item in other)

    def __gt__(self, other):
        return len(self) > len(other) and self >= other if isinstance(other, Set) else NotImplemented

    def __eq__(self, other):
        return len(self) == len(other) and self <= other if isinstance(other, Set) else NotImplemented

    __hash__ = None

    def __and__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(item for item in other if item in self)

    def __or__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(item for part in (self, other) for item in part)

    def __sub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        taken = other if isinstance(other, Set) else list(other)
        return self._from_iterable(item for item in self if item not in taken)

    def __xor__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        other = other if isinstance(other, Set) else self._from_iterable(other)
        return (self - other) | (other - self)

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__

    def __rsub__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(item for item in other if item not in self)

    def isdisjoint(self, other):
        return not any(item in self for item in other)


class MutableSet(Set):
    __module__ = "collections.abc"
    __slots__ = ()

    @abstractmethod
    def add(self, value):
        raise NotImplementedError

    @abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError

    def clear(self):
        while len(self):
            self.pop()

    def __ior__(self, other):
        for value in other:
            self.add(value)
        return self

    def __iand__(self, other):
        for value in self - other:
            self.discard(value)
        return self

    def __isub__(self, other):
        for value in list(other):
            self.discard(value)
        return self

    def __ixor__(self, other):
        for value in list(other):
            if value in self:
                self.discard(value)
            else:
                self.add(value)
        return self


class Mapping(Collection):
    __module__ = "collections.abc"
    __slots__ = ()

    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    def __eq__(self, other):
        return dict(self.items()) == dict(other.items()) if isinstance(other, Mapping) else NotImplemented

    __hash__ = None
    __reversed__ = None


_missing = object()


class MutableMapping(Mapping):
    __module__ = "collections.abc"
    __slots__ = ()

    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

    def pop(self, key, default=_missing):
        try:
            value = self[key]
        except KeyError:
            if default is _missing:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        while len(self):
            self.popitem()

    def update(self, other=(), /, **kwargs):
        if hasattr(other, "keys"):
            other = [(key, other[key]) for key in other.keys()]
        for key, value in other:
            self[key] = value
        for key, value in kwargs.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


class MappingView(Sized):
    __module__ = "collections.abc"
    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{type(self).__name__}({self._mapping!r})"


class KeysView(MappingView, Set):
    __module__ = "collections.abc"
    @classmethod
    def _from_iterable(cls, items):
        return set(items)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)


class ItemsView(MappingView, Set):
    __module__ = "collections.abc"
    @classmethod
    def _from_iterable(cls, items):
        return set(items)

    def __contains__(self, item):
        key, value = item
        return key in self._mapping and self._mapping[key] == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]


class ValuesView(MappingView, Collection):
    __module__ = "collections.abc"
    def __contains__(self, value):
        return any(item is value or item == value for item in self)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


def _adopt():
    for builtin in (list, bytearray):
        MutableSequence.register(builtin)
    for builtin in (tuple, str, range, bytes):
        Sequence.register(builtin)
    Set.register(frozenset)
    MutableSet.register(set)
    MutableMapping.register(dict)
    names = {}
    KeysView.register(type(names.keys()))
    ItemsView.register(type(names.items()))
    ValuesView.register(type(names.values()))
    ByteString.register(bytes)
    ByteString.register(bytearray)


_adopt()
