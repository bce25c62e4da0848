# SPDX-License-Identifier: GPL-3.0-or-later
# collections and collections.abc.

# --- ordered_dict_prints_pairs_and_moves_to_end
from collections import OrderedDict
d = OrderedDict([("a", 1), ("b", 2), ("c", 3)])
print(d, len(d), list(d), OrderedDict())
d.move_to_end("a")
print(list(d))
d.move_to_end("c", last=False)
print(list(d), d.popitem(), d.popitem(last=False), d)

# --- ordered_dict_equality_minds_the_order
from collections import OrderedDict
a = OrderedDict(x=1, y=2)
b = OrderedDict(y=2, x=1)
print(a == b, a == dict(b), dict(a) == dict(b), a != b, a == OrderedDict(x=1, y=2))
print(list(reversed(a)), isinstance(a, dict), a | {"z": 3})

# --- ordered_dict_works_as_a_dict
from collections import OrderedDict
d = OrderedDict()
d["conv"] = 1
d.update(bn=2)
d["conv"] = 3
for i, (k, v) in enumerate(d.items()):
    print(i, k, v)
del d["conv"]
print(d, "bn" in d, d.get("x"), d.setdefault("y", 5), d.pop("bn"), d.copy())
print(OrderedDict.fromkeys("ab", 0), OrderedDict({"k": [1]}))
try:
    d.move_to_end("nothing")
except KeyError as e:
    print("KeyError", e)

# --- ordered_dict_subclass_prints_its_name
from collections import OrderedDict
class State(OrderedDict):
    pass
s = State(a=1)
print(s, type(s.copy()).__name__, State())

# --- namedtuple_has_fields_and_positions
from collections import namedtuple
P = namedtuple("P", ["x", "y"])
p = P(1, y=2)
print(p, p.x, p[1], len(p), tuple(p), p == (1, 2), p + (3,))
x, y = p
print(x, y, P._fields, p._asdict(), p._replace(x=9), P._make([5, 6]))
print(isinstance(p, tuple), hash(p) == hash((1, 2)), max(p), p.index(2), p.count(1))

# --- namedtuple_defaults_and_text_fields
from collections import namedtuple
A = namedtuple("A", "a b, c", defaults=[2, 3])
print(A(1), A(1, 5), A._field_defaults, A.__name__, A.__doc__)
B = namedtuple("B", "class _x def x", rename=True)
print(B._fields, B(1, 2, 3, 4))
print([A(i) for i in range(2)], f"{A(0)}", str(A(a="s")))

# --- namedtuple_can_be_subclassed
from collections import namedtuple
class Point(namedtuple("Point", "x y")):
    __slots__ = ()
    @property
    def norm(self): return (self.x ** 2 + self.y ** 2) ** 0.5
    def __add__(self, o): return Point(self.x + o.x, self.y + o.y)
    def __str__(self): return f"<{self.x},{self.y}>"
p = Point(3, 4)
print(p.norm, p + p, repr(p), type(p._replace(x=1)).__name__)
class Q(Point):
    def __new__(cls, v): return super().__new__(cls, v, v)
print(repr(Q(7)))

# --- namedtuple_errors
from collections import namedtuple
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
P = namedtuple("P", "x y")
attempt(lambda: P(1))
attempt(lambda: P())
attempt(lambda: P(1, 2, 3))
attempt(lambda: P(1, 2, z=3))
attempt(lambda: P(1, x=2))
attempt(lambda: P._make([1]))
attempt(lambda: P(1, 2)._replace(q=1))
attempt(lambda: namedtuple("T", "a a"))
attempt(lambda: namedtuple("T", "1a"))
attempt(lambda: namedtuple("T", "class"))
attempt(lambda: namedtuple("T", "_a"))
attempt(lambda: P(1, 2)[5])

# --- namedtuple_attributes_cannot_be_set
from collections import namedtuple
p = namedtuple("P", "x")(1)
try:
    p.x = 2
except AttributeError as e:
    print("AttributeError")
try:
    p[0] = 2
except TypeError as e:
    print(e)
try:
    p.z
except AttributeError as e:
    print(e)

# --- defaultdict_makes_missing_values
from collections import defaultdict
d = defaultdict(list)
for k, v in [("a", 1), ("b", 2), ("a", 3)]:
    d[k].append(v)
print(d, dict(d), d.get("zz"), "zz" in d, len(d))
n = defaultdict(int, x=5)
n["x"] += 1
n["y"] += 1
print(n, n.default_factory, sorted(n.items()))
t = defaultdict(lambda: defaultdict(int))
t["p"]["q"] += 2
print({k: dict(v) for k, v in t.items()})

# --- defaultdict_without_factory_raises
from collections import defaultdict
d = defaultdict(None, a=1)
print(d)
try:
    d["b"]
except KeyError as e:
    print("KeyError", e)
try:
    defaultdict(5)
except TypeError as e:
    print(e)
print(defaultdict(int).copy(), defaultdict(list, {1: [2]}) == {1: [2]}, defaultdict(int) | {"a": 1})

# --- counter_counts_and_ranks
from collections import Counter
c = Counter("mississippi")
print(c, c["i"], c["zz"], c.most_common(2), c.total(), len(c))
print(sorted(c.elements()), Counter(a=2, b=-1), Counter({"x": 3}), Counter())
c.update("ss")
c.subtract("mm")
print(c, list(c))
del c["m"], c["nothing"]
print(c)

# --- counter_arithmetic_keeps_positive_counts
from collections import Counter
a, b = Counter(x=3, y=1), Counter(x=1, y=2, z=1)
print(a + b, a - b, a & b, a | b, +Counter(q=-1, r=1), -Counter(q=-1, r=1))
a += b
print(a, a == Counter(x=4, y=3, z=1), Counter(x=1) <= Counter(x=2), Counter(x=1, y=0) == Counter(x=1))

# --- deque_grows_at_both_ends
from collections import deque
d = deque([1, 2, 3])
d.append(4)
d.appendleft(0)
print(d, d.pop(), d.popleft(), len(d), d[0], d[-1], 2 in d)
d.extend("ab")
d.extendleft([8, 9])
print(d, list(reversed(d)), d.index("a"), d.count(8))
d[1] = "set"
del d[0]
d.insert(1, "ins")
d.remove("ins")
print(d, deque(), bool(deque()), d == deque(["set", 1, 2, 3, "a", "b"]))

# --- deque_with_maxlen_drops_from_the_other_end
from collections import deque
d = deque(range(5), maxlen=3)
print(d, d.maxlen)
d.append(5)
d.appendleft(1)
print(d, deque([1], maxlen=0), deque("ab", 5))
d.extend([7, 8])
print(list(d), d.copy())

# --- deque_rotates_and_reverses
from collections import deque
d = deque("abcde")
d.rotate(2)
print("".join(d))
d.rotate(-3)
print("".join(d))
d.rotate(12)
d.reverse()
print("".join(d), deque([1]) + deque([2]), deque([1, 2]) * 2)
d.clear()
d.rotate(1)
print(d)

# --- deque_errors
from collections import deque
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: deque().pop())
attempt(lambda: deque().popleft())
attempt(lambda: deque([1])[3])
attempt(lambda: deque([1]).index(9))
attempt(lambda: deque([1], maxlen=-1))
attempt(lambda: deque([1], maxlen=1).insert(0, 2))
def mutate():
    d = deque([1, 2])
    for x in d:
        d.append(x)
attempt(mutate)

# --- chainmap_looks_up_in_order
from collections import ChainMap
m = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(m["a"], m["b"], len(m), sorted(m), "b" in m, m.get("zz", 0), dict(m))
m["c"] = 4
child = m.new_child({"a": 0})
print(m.maps, child["a"], child.parents["a"], m)
try:
    del m["b"]
except KeyError as e:
    print("KeyError", e)
try:
    m["nope"]
except KeyError as e:
    print("KeyError", e)

# --- abc_isinstance_of_builtin_containers
from collections.abc import (Iterable, Iterator, Sequence, MutableSequence, Mapping, MutableMapping, Set, Sized, Hashable,
                             Callable, Container, Generator, Collection)
for x in ([], (), "s", {}, set(), frozenset(), range(3), iter([]), (i for i in []), len, 3, None):
    names = [c.__name__ for c in (Iterable, Iterator, Sequence, MutableSequence, Mapping, MutableMapping, Set, Sized,
                                  Hashable, Callable, Container, Generator, Collection) if isinstance(x, c)]
    print(type(x).__name__, names)

# --- abc_hooks_see_methods_of_plain_classes
from collections.abc import Iterable, Sized, Callable, Hashable, Sequence
class A:
    def __len__(self): return 1
    def __iter__(self): return iter("a")
class B(A):
    __hash__ = None
    def __call__(self): pass
print(isinstance(A(), Iterable), isinstance(A(), Sized), isinstance(A(), Callable), isinstance(A(), Hashable))
print(isinstance(B(), Callable), isinstance(B(), Hashable), issubclass(B, Sequence), issubclass(list, Sequence))

# --- mutable_mapping_gives_dict_methods
from collections.abc import MutableMapping, Mapping
class Lower(MutableMapping):
    def __init__(self, **kw):
        self.d = {}
        self.update(kw)
    def __getitem__(self, k): return self.d[k.lower()]
    def __setitem__(self, k, v): self.d[k.lower()] = v
    def __delitem__(self, k): del self.d[k.lower()]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
m = Lower(A=1, b=2)
print(m["a"], m["B"], "A" in m, list(m), dict(m), m.get("zz"), m.pop("a"), m.setdefault("C", 3))
print(list(m.items()), list(m.values()), sorted(m.keys()), m == {"b": 2, "c": 3}, isinstance(m, Mapping))
m.clear()
print(len(m), bool(m))
try:
    m.pop("q")
except KeyError as e:
    print(repr(e))

# --- sequence_gives_list_methods
from collections.abc import Sequence, MutableSequence
class Squares(Sequence):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i):
        if not -self.n <= i < self.n: raise IndexError(i)
        return (i % self.n) ** 2
s = Squares(5)
print(list(s), 9 in s, 10 in s, s.index(16), s.count(4), list(reversed(s)), s[-1], isinstance(s, Sequence))
class L(MutableSequence):
    def __init__(self): self.d = []
    def __len__(self): return len(self.d)
    def __getitem__(self, i): return self.d[i]
    def __setitem__(self, i, v): self.d[i] = v
    def __delitem__(self, i): del self.d[i]
    def insert(self, i, v): self.d.insert(i, v)
l = L()
l.extend([1, 2, 3])
l.append(4)
l += [5]
l.reverse()
l.remove(2)
print(l.d, l.pop(), l.pop(0), l.d)

# --- userdict_and_userlist_wrap_data
from collections import UserDict, UserList
class Up(UserDict):
    def __setitem__(self, k, v): super().__setitem__(k.upper(), v)
u = Up({"a": 1}, b=2)
u["c"] = 3
print(u, u.data, "A" in u, len(u), dict(u))
l = UserList([3, 1])
l.append(2)
l.sort()
print(l, l[0], l[1:], len(l), l + [9])

# --- deque_as_a_queue_keeps_its_places
from collections import deque
q = deque(range(10))
seen = []
while q:
    first = q.popleft()
    seen.append((first, len(q), q[0] if q else None, q[-1] if q else None))
    if first < 5:
        q.append(first + 100)
print(seen)
q = deque("abcdef")
print(q.popleft(), q.popleft(), q, list(q), q[1], q[-2], q.index("e"), "b" in q, q.count("a"))
q[0] = "C"
del q[1]
q.rotate(1)
print(q, q == deque("fCe"), q + deque("x"), q * 2, q.copy())
q.popleft()
q.appendleft("z")
q.insert(1, "y")
print(q, list(reversed(q)))
recent = deque(maxlen=3)
for i in range(7):
    recent.append(i)
    print(recent, recent.maxlen, end=" ")
print(recent.popleft(), recent)
try:
    for item in recent:
        recent.popleft()
except RuntimeError as e:
    print(e)
recent.clear()
try:
    recent.popleft()
except IndexError as e:
    print(e)
