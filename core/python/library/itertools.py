# SPDX-License-Identifier: GPL-3.0-or-later
# Python's itertools: classes that check their arguments at once and give their items from a generator.

_nothing = object()


class _Items:
    def __iter__(self):
        return self

    def __next__(self):
        return next(self._items)


class count(_Items):
    def __init__(self, start=0, step=1):
        if not hasattr(start, "__add__") or isinstance(start, (str, list, tuple)):
            raise TypeError("a number is required")
        self._next, self._step = start, step

    def __next__(self):
        value = self._next
        self._next = value + self._step
        return value

    def __repr__(self):
        step = "" if isinstance(self._step, int) and self._step == 1 else f", {self._step!r}"
        return f"count({self._next!r}{step})"


class cycle(_Items):
    def __init__(self, iterable, /):
        self._items = self._run(iter(iterable))

    def _run(self, iterator):
        seen = []
        for item in iterator:
            seen.append(item)
            yield item
        while seen:
            yield from seen


class repeat(_Items):
    def __init__(self, object, times=None):
        self._object = object
        self._left = times if times is None else max(times, 0)

    def __next__(self):
        if self._left is not None:
            if self._left == 0:
                raise StopIteration
            self._left -= 1
        return self._object

    def __length_hint__(self):
        if self._left is None:
            raise TypeError("len() of unsized object")
        return self._left

    def __repr__(self):
        return f"repeat({self._object!r}{'' if self._left is None else f', {self._left}'})"


class accumulate(_Items):
    def __init__(self, iterable, func=None, *, initial=None):
        self._items = self._run(iter(iterable), func, initial)

    def _run(self, iterator, func, total):
        if total is None:
            total = next(iterator, _nothing)
            if total is _nothing:
                return
        yield total
        for item in iterator:
            total = total + item if func is None else func(total, item)
            yield total


class chain(_Items):
    def __init__(self, *iterables):
        self._items = self._run(iterables)

    @classmethod
    def from_iterable(cls, iterables, /):
        result = cls()
        result._items = result._run(iterables)
        return result

    def _run(self, iterables):
        for iterable in iterables:
            yield from iterable


class compress(_Items):
    def __init__(self, data, selectors):
        self._items = (item for item, chosen in zip(data, selectors) if chosen)


class dropwhile(_Items):
    def __init__(self, predicate, iterable, /):
        self._items = self._run(predicate, iter(iterable))

    def _run(self, predicate, iterator):
        for item in iterator:
            if not predicate(item):
                yield item
                break
        yield from iterator


class takewhile(_Items):
    def __init__(self, predicate, iterable, /):
        self._items = self._run(predicate, iter(iterable))

    def _run(self, predicate, iterator):
        for item in iterator:
            if not predicate(item):
                return
            yield item


class filterfalse(_Items):
    def __init__(self, function, iterable, /):
        test = bool if function is None else function
        self._items = (item for item in iterable if not test(item))


class starmap(_Items):
    def __init__(self, function, iterable, /):
        self._items = (function(*args) for args in iterable)


class islice(_Items):
    def __init__(self, iterable, /, *bounds):
        if not 1 <= len(bounds) <= 3:
            few = len(bounds) < 1
            raise TypeError(f"islice expected at {'least 2' if few else 'most 4'} arguments, got {len(bounds) + 1}")
        start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, None)[:3]
        if len(bounds) == 1 and stop is not None and not self._fits(stop):
            raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
        if not all(at is None or self._fits(at) for at in (start, stop)):
            raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
        if step is not None and (not self._fits(step) or step == 0):
            raise ValueError("Step for islice() must be a positive integer or None.")
        self._items = self._run(iter(iterable), start or 0, stop, 1 if step is None else step)

    def _fits(self, value):
        return isinstance(value, int) and value >= 0

    def _run(self, iterator, start, stop, step):
        at, wanted = 0, start
        while stop is None or at < stop:
            item = next(iterator, _nothing)
            if item is _nothing:
                return
            if at == wanted:
                yield item
                wanted += step
                if stop is not None and wanted >= stop:
                    # what lies before the stop is taken from the source, though nobody sees it
                    for _ in range(stop - at - 1):
                        if next(iterator, _nothing) is _nothing:
                            return
                    return
            at += 1


class pairwise(_Items):
    def __init__(self, iterable, /):
        self._items = self._run(iter(iterable))

    def _run(self, iterator):
        last = next(iterator, _nothing)
        for item in iterator:
            yield last, item
            last = item


class zip_longest(_Items):
    def __init__(self, *iterables, fillvalue=None):
        self._items = self._run([iter(iterable) for iterable in iterables], fillvalue)

    def _run(self, iterators, fill):
        done = [False] * len(iterators)
        while True:
            row = []
            for at, iterator in enumerate(iterators):
                item = _nothing if done[at] else next(iterator, _nothing)
                if item is _nothing:
                    done[at] = True
                    item = fill
                row.append(item)
            if all(done):
                return
            yield tuple(row)


class groupby(_Items):
    def __init__(self, iterable, key=None):
        self._iterator = iter(iterable)
        self._key = (lambda item: item) if key is None else key
        self._current = None
        self._item = self._item_key = _nothing

    def _advance(self):
        """Reads on; the item waits in _item until its group takes it."""
        self._item = next(self._iterator, _nothing)
        if self._item is not _nothing:
            self._item_key = self._key(self._item)

    def __next__(self):
        if self._current is None:
            self._advance()
        else:
            target = self._current.key
            while self._item is not _nothing and self._item_key == target:
                self._advance()
        if self._item is _nothing:
            raise StopIteration
        self._current = _grouper(self, self._item_key)
        return self._item_key, self._current


class _grouper(_Items):
    def __init__(self, parent, key):
        self.key = key
        self._items = self._run(parent)

    def _run(self, parent):
        while parent._current is self and parent._item is not _nothing and parent._item_key == self.key:
            item = parent._item
            parent._advance()
            yield item


def tee(iterable, n=2, /):
    if n < 0:
        raise ValueError("n must be >= 0")
    iterator = iter(iterable)
    waiting = [[] for _ in range(n)]
    return tuple(_tee(iterator, waiting, queue) for queue in waiting)


class _tee(_Items):
    def __init__(self, iterator, waiting, queue):
        self._iterator, self._waiting, self._queue = iterator, waiting, queue

    def __next__(self):
        if not self._queue:
            item = next(self._iterator)
            for queue in self._waiting:
                queue.append(item)
        return self._queue.pop(0)


class product(_Items):
    def __init__(self, *iterables, repeat=1):
        self._items = self._run([tuple(iterable) for iterable in iterables] * repeat)

    def _run(self, pools):
        if not all(pools):
            return
        at = [0] * len(pools)
        while True:
            yield tuple([pool[i] for pool, i in zip(pools, at)])
            place = len(pools) - 1
            while place >= 0 and at[place] == len(pools[place]) - 1:
                at[place] = 0
                place -= 1
            if place < 0:
                return
            at[place] += 1


class permutations(_Items):
    def __init__(self, iterable, r=None):
        pool = tuple(iterable)
        r = len(pool) if r is None else r
        _refuse_negative(r)
        self._items = self._run(pool, r, [], [False] * len(pool))

    def _run(self, pool, r, chosen, used):
        if len(chosen) == r:
            yield tuple(chosen)
            return
        for at, item in enumerate(pool):
            if not used[at]:
                used[at] = True
                chosen.append(item)
                yield from self._run(pool, r, chosen, used)
                chosen.pop()
                used[at] = False


class combinations(_Items):
    _again = 1

    def __init__(self, iterable, r):
        pool = tuple(iterable)
        _refuse_negative(r)
        self._items = self._run(pool, r, 0, [])

    def _run(self, pool, r, start, chosen):
        if len(chosen) == r:
            yield tuple(chosen)
            return
        for at in range(start, len(pool)):
            chosen.append(pool[at])
            yield from self._run(pool, r, at + self._again, chosen)
            chosen.pop()


class combinations_with_replacement(combinations):
    _again = 0


def _refuse_negative(r):
    if r < 0:
        raise ValueError("r must be non-negative")
