# SPDX-License-Identifier: GPL-3.0-or-later
# collections.deque, over a list whose first items may be gone: those are cut off now and then, not one by one.

from reprlib import recursive_repr


class deque:
    __module__ = "collections"

    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None:
            if not isinstance(maxlen, int):
                raise TypeError("an integer is required")
            if maxlen < 0:
                raise ValueError("maxlen must be non-negative")
        self._all, self._gone = [], 0
        self._maxlen = maxlen
        self._version = 0
        self.extend(iterable)

    maxlen = property(lambda self: self._maxlen)

    def _cut(self):
        del self._all[: self._gone]
        self._gone = 0

    @property
    def _items(self):
        if self._gone:
            self._cut()
        return self._all

    def __len__(self):
        return len(self._all) - self._gone

    def __iter__(self):
        version = self._version
        for item in self._items:
            yield item
            if version != self._version:
                raise RuntimeError("deque mutated during iteration")

    def __reversed__(self):
        return reversed(list(self))

    def __contains__(self, item):
        return item in self._items

    def __bool__(self):
        return len(self) > 0

    def _at(self, index):
        if not hasattr(index, "__index__"):
            raise TypeError(f"sequence index must be integer, not '{type(index).__name__}'")
        if not -len(self) <= index < len(self):
            raise IndexError("deque index out of range")
        return index if index < 0 else index + self._gone

    def __getitem__(self, index):
        return self._all[self._at(index)]

    def __setitem__(self, index, value):
        self._all[self._at(index)] = value

    def __delitem__(self, index):
        del self._all[self._at(index)]
        self._version += 1

    def append(self, item):
        self._version += 1
        self._all.append(item)
        if self._maxlen is not None and len(self) > self._maxlen:
            self.popleft()

    def appendleft(self, item):
        self._version += 1
        self._items.insert(0, item)
        if self._maxlen is not None and len(self._items) > self._maxlen:
            del self._items[-1]

    def extend(self, iterable):
        for item in list(iterable):
            self.append(item)

    def extendleft(self, iterable):
        for item in list(iterable):
            self.appendleft(item)

    def pop(self):
        if not self:
            raise IndexError("pop from an empty deque")
        self._version += 1
        return self._all.pop()

    def popleft(self):
        if not self:
            raise IndexError("pop from an empty deque")
        self._version += 1
        item, self._all[self._gone] = self._all[self._gone], None
        self._gone += 1
        if 2 * self._gone > len(self._all):
            self._cut()
        return item

    def clear(self):
        self._version += 1
        self._items.clear()

    def rotate(self, n=1):
        if self._items:
            self._version += 1
            at = -n % len(self._items)
            self._items[:] = self._items[at:] + self._items[:at]

    def reverse(self):
        self._items.reverse()

    def count(self, item):
        return self._items.count(item)

    def index(self, item, start=0, stop=None):
        try:
            return self._items.index(item, start, len(self._items) if stop is None else stop)
        except ValueError:
            raise ValueError(f"{item!r} is not in deque") from None

    def insert(self, index, item):
        if self._maxlen is not None and len(self._items) >= self._maxlen:
            raise IndexError("deque already at its maximum size")
        self._version += 1
        self._items.insert(index, item)

    def remove(self, item):
        if item not in self._items:
            raise ValueError("deque.remove(x): x not in deque")
        self._version += 1
        self._items.remove(item)

    def copy(self):
        return type(self)(self._items, self._maxlen) if type(self) is deque else type(self)(self._items)

    __copy__ = copy

    def __deepcopy__(self, memo):
        from copy import deepcopy

        result = memo[id(self)] = type(self)((), self._maxlen)
        result.extend([deepcopy(item, memo) for item in self._items])
        return result

    def __add__(self, other):
        if not isinstance(other, deque):
            raise TypeError(f'can only concatenate deque (not "{type(other).__name__}") to deque')
        result = self.copy()
        result.extend(other)
        return result

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, count):
        return type(self)(self._items * count, self._maxlen)

    __rmul__ = __mul__

    def __imul__(self, count):
        items = self._items * count
        self.clear()
        self.extend(items)
        return self

    def _compare(name):
        def compare(self, other):
            if not isinstance(other, deque):
                return NotImplemented
            return getattr(self._items, name)(other._items)

        return compare

    __eq__, __ne__ = _compare("__eq__"), _compare("__ne__")
    __lt__, __le__ = _compare("__lt__"), _compare("__le__")
    __gt__, __ge__ = _compare("__gt__"), _compare("__ge__")
    __hash__ = None
    del _compare

    @recursive_repr("[...]")
    def __repr__(self):
        most = "" if self._maxlen is None else f", maxlen={self._maxlen}"
        return f"{type(self).__name__}({self._items!r}{most})"

    def __class_getitem__(cls, item):
        from _typing_forms import _ClassAlias

        return _ClassAlias(cls, item, "collections.deque")
