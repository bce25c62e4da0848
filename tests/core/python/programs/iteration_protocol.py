# SPDX-License-Identifier: GPL-3.0-or-later
# Iterators and iterables.

# --- separate_iterator_objects
class Bag:
    def __init__(self, *xs): self.xs = xs
    def __iter__(self): return BagIter(self)
class BagIter:
    def __init__(self, bag): self.bag, self.i = bag, -1
    def __next__(self):
        self.i += 1
        if self.i == len(self.bag.xs): raise StopIteration
        return self.bag.xs[self.i]
    def __iter__(self): return self
b = Bag(1, 2, 3)
print([(x, y) for x in b for y in b if x < y], list(b), sum(b), 2 in b, max(b), tuple(b), set(b), sorted(b, reverse=True), list(zip(b, b)), dict(zip(b, "abc")), [*b])
x, *y = b
print(x, y, any(v > 2 for v in b), list(map(str, b)), list(enumerate(b)))

# --- iterators_are_consumed_once
it = iter([1, 2, 3, 4])
print(2 in it, list(it), list(it))
it = iter("abcd")
print([a + b for a, b in zip(it, it)])
for x in (i := iter(range(6))):
    print(x, next(i, None), end=" ")
print()

# --- stopiteration_in_next_ends_loops
class Odd:
    def __init__(self): self.n = -1
    def __iter__(self): return self
    def __next__(self):
        self.n += 2
        if self.n > 7: raise StopIteration("over")
        return self.n
for x in Odd(): print(x, end=" ")
o = Odd()
print(list(o), next(o, "x"))
class Bad:
    def __iter__(self): return self
for make in (Bad,):
    try:
        iter(make())
    except TypeError as e:
        print(e)

# --- errors_inside_iteration_pass_through
class Boom:
    def __iter__(self):
        yield 1
        raise ValueError("boom")
out = []
try:
    for x in Boom(): out.append(x)
except ValueError as e:
    print(out, e)
for use in (list, tuple, sum, max, sorted, set):
    try:
        use(Boom())
    except ValueError as e:
        print(use.__name__, e)

# --- dict_subclass_and_keys_protocol
class K:
    def keys(self): return ["a", "b"]
    def __getitem__(self, k): return k * 2
def f(**kw): return kw
print(dict(K()), {**K()}, f(**K()), {}.__class__(K()))
d = {}
d.update(K())
print(d)

# --- for_target_can_be_anything
class A: pass
a, d, l = A(), {}, [0]
for a.x in range(3): pass
for d["k"] in "ab": pass
for l[0], (m, n) in [(1, (2, 3))]: pass
for i in range(2):
    for i in "xy": pass
print(a.x, d, l, m, n, i)

# --- not_iterable_errors
def attempt(f):
    try:
        f()
    except TypeError as e:
        print(e)
def loop():
    for x in 5: pass
def unpack(): a, b = None
def spread(): print(*5)
def yfrom():
    def g(): yield from 5
    list(g())
for f in (loop, unpack, spread, yfrom, lambda: list(1.5), lambda: [x for x in len], lambda: sum(1), lambda: dict(a for a in [1]), lambda: set(None), lambda: tuple(object), lambda: 1 in 2, lambda: [*3], lambda: {**[]}, lambda: "".join(5), lambda: zip([1], 2), lambda: all(0), lambda: map(len, 5), lambda: enumerate(3)):
    attempt(f)
