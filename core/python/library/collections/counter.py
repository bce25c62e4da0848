# SPDX-License-Identifier: GPL-3.0-or-later
# collections.Counter.


class Counter(dict):
    __module__ = "collections"

    def __init__(self, iterable=None, /, **kwargs):
        super().__init__()
        self.update(iterable, **kwargs)

    def __missing__(self, key):
        return 0

    def __delitem__(self, key):
        if key in self:
            super().__delitem__(key)

    def _change(self, sign, iterable, kwargs):
        if iterable is None:
            pairs = ()
        elif hasattr(iterable, "items"):
            pairs = iterable.items()
        else:
            pairs = ((key, 1) for key in iterable)
        for source in (pairs, kwargs.items()):
            for key, count in source:
                self[key] = self.get(key, 0) + sign * count

    def update(self, iterable=None, /, **kwargs):
        self._change(1, iterable, kwargs)

    def subtract(self, iterable=None, /, **kwargs):
        self._change(-1, iterable, kwargs)

    def most_common(self, n=None):
        ranked = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
        return ranked if n is None else ranked[:max(n, 0)]

    def elements(self):
        for key, count in self.items():
            for _ in range(count):
                yield key

    def total(self):
        return sum(self.values())

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def copy(self):
        return type(self)(self)

    __copy__ = copy

    def _merged(self, other, combine):
        keys = list(self) + [key for key in other if key not in self]
        result = Counter()
        for key in keys:
            count = combine(self[key], other[key])
            if count > 0:
                result[key] = count
        return result

    def __add__(self, other):
        return self._merged(other, lambda a, b: a + b) if isinstance(other, Counter) else NotImplemented

    def __sub__(self, other):
        return self._merged(other, lambda a, b: a - b) if isinstance(other, Counter) else NotImplemented

    def __or__(self, other):
        return self._merged(other, max) if isinstance(other, Counter) else NotImplemented

    def __and__(self, other):
        return self._merged(other, min) if isinstance(other, Counter) else NotImplemented

    def __pos__(self):
        return self._merged(Counter(), lambda a, b: a)

    def __neg__(self):
        return self._merged(Counter(), lambda a, b: -a)

    def _become(self, result):
        self.clear()
        dict.update(self, result)
        return self

    def __iadd__(self, other):
        return self._become(self + other)

    def __isub__(self, other):
        return self._become(self - other)

    def __ior__(self, other):
        return self._become(self | other)

    def __iand__(self, other):
        return self._become(self & other)

    def _holds(self, other, compare):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(compare(self[key], other[key]) for part in (self, other) for key in part)

    def __eq__(self, other):
        return self._holds(other, lambda a, b: a == b)

    def __ne__(self, other):
        return not self == other

    def __le__(self, other):
        return self._holds(other, lambda a, b: a <= b)

    def __lt__(self, other):
        return self <= other and self != other if isinstance(other, Counter) else NotImplemented

    def __ge__(self, other):
        return self._holds(other, lambda a, b: a >= b)

    def __gt__(self, other):
        return self >= other and self != other if isinstance(other, Counter) else NotImplemented

    __hash__ = None

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        try:
            pairs = dict(self.most_common())
        except TypeError:
            pairs = dict(self)
        return f"{type(self).__name__}({pairs!r})"
