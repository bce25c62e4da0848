# SPDX-License-Identifier: GPL-3.0-or-later
# copy, abc, numbers.

# --- copy_is_shallow_and_deepcopy_is_deep
import copy
a = [1, [2, 3], {"k": (4, [5])}]
s, d = copy.copy(a), copy.deepcopy(a)
a[1].append("x")
a[2]["k"][1].append("y")
print(s, d, s == a, s is a, d[2]["k"])
t = (1, "a", None, 2.5)
print(copy.deepcopy(t) is t, copy.copy(t) is t, copy.deepcopy({1, 2}), copy.deepcopy(frozenset([3])))

# --- deepcopy_keeps_sharing_and_cycles
import copy
x = [1]
pair = [x, x]
c = copy.deepcopy(pair)
print(c[0] is c[1], c[0] is x)
loop = [1]
loop.append(loop)
l2 = copy.deepcopy(loop)
print(l2[1] is l2, l2 is not loop, l2)
t = ([],)
t[0].append(t)
u = copy.deepcopy(t)
print(u[0][0] is u, u is t)
d = {}
d["self"] = d
print(copy.deepcopy(d))

# --- copy_of_instances_shares_attributes
import copy
class A:
    def __init__(self, x):
        print("init")
        self.x = x
a = A([1])
b, c = copy.copy(a), copy.deepcopy(a)
print(b.x is a.x, c.x is a.x, c.x, type(c).__name__, b.__dict__)

# --- copy_hooks_are_used
import copy
class A:
    def __init__(self, v): self.v = v
    def __copy__(self): return A(("copied", self.v))
    def __deepcopy__(self, memo):
        r = A(copy.deepcopy(self.v, memo))
        memo[id(self)] = r
        return r
a = A([1])
l = copy.deepcopy([a, a])
print(copy.copy(a).v, l[0] is l[1], l[0].v, l[0].v is a.v)

# --- copy_uses_getstate_and_setstate
import copy
class A:
    def __init__(self): self.x, self.cache = [1], "big"
    def __getstate__(self):
        d = self.__dict__.copy()
        del d["cache"]
        return d
    def __setstate__(self, d):
        self.__dict__.update(d)
        self.cache = "rebuilt"
a = A()
b = copy.deepcopy(a)
print(b.x, b.cache, b.x is a.x, copy.copy(a).cache)

# --- copy_of_subclasses_of_containers
import copy
from collections import OrderedDict, defaultdict, deque, Counter, namedtuple
class L(list):
    pass
l = L([1, [2]])
l.tag = [3]
d = copy.deepcopy(l)
print(d, type(d).__name__, d.tag, d.tag is l.tag, d[1] is l[1])
class D(dict): pass
m = copy.deepcopy(D(a=[1]))
print(m, type(m).__name__)
o = OrderedDict(a=[1])
print(copy.deepcopy(o), copy.copy(o), copy.deepcopy(defaultdict(list, x=[1])), copy.deepcopy(deque([[1]], 3)), copy.copy(Counter("aab")))
P = namedtuple("P", "x y")
p = P([1], 2)
q = copy.deepcopy(p)
print(q, q.x is p.x, type(q).__name__)

# --- copy_shares_functions_classes_and_modules
import copy, math
def f(): pass
class A: pass
for x in (f, A, len, None, ..., 3, "s", b"b", range(3), True, A().__class__):
    print(copy.copy(x) is x, copy.deepcopy(x) is x, end=" ")
print()
print(copy.deepcopy([f, {"c": A}])[1]["c"] is A, copy.deepcopy(lambda x: x + 1)(2))

# --- deepcopy_of_bound_methods_and_partials
import copy
from functools import partial
class A:
    def __init__(self): self.n = [1]
    def get(self): return self.n
a = A()
m = copy.deepcopy(a.get)
print(m() == [1], m() is a.n)
p = copy.deepcopy(partial(sorted, reverse=True))
print(p([1, 3, 2]))

# --- deepcopy_of_slots
import copy
class S:
    __slots__ = ("a", "b")
    def __init__(self): self.a = [1]
s = S()
t = copy.deepcopy(s)
print(t.a, t.a is s.a, hasattr(t, "b"), copy.copy(s).a is s.a)

# --- copy_of_dataclasses_and_namespaces
import copy
from dataclasses import dataclass, field
from types import SimpleNamespace
@dataclass
class A:
    x: list = field(default_factory=lambda: [1])
a = A()
b = copy.deepcopy(a)
b.x.append(2)
print(a, b, copy.copy(a).x is a.x)
n = SimpleNamespace(a=[1], b=SimpleNamespace(c=2))
m = copy.deepcopy(n)
m.a.append(5)
m.b.c = 9
print(n, m, n == SimpleNamespace(a=[1], b=SimpleNamespace(c=2)))

# --- dict_and_list_copy_methods
d = {"a": [1]}
e = d.copy()
e["b"] = 2
e["a"].append(9)
print(d, e)
l = [1, [2]]
m = l.copy()
k = l[:]
m.append(3)
print(l, m, k, k[1] is l[1], {1, 2}.copy())

# --- abc_refuses_abstract_instances
from abc import ABC, abstractmethod
class Base(ABC):
    @abstractmethod
    def forward(self, x): ...
    @abstractmethod
    def name(self): ...
    def both(self): return self.name() + str(self.forward(1))
class Half(Base):
    def name(self): return "half"
class Full(Half):
    def forward(self, x): return x + 1
for c in (Base, Half, Full):
    try:
        print(c().both())
    except TypeError as e:
        print(e)
print(Base.__abstractmethods__ == frozenset({"forward", "name"}), Full.__abstractmethods__, isinstance(Full(), Base))

# --- abc_abstract_properties_and_classmethods
from abc import ABC, ABCMeta, abstractmethod
class A(metaclass=ABCMeta):
    @property
    @abstractmethod
    def size(self): ...
    @classmethod
    @abstractmethod
    def make(cls): ...
    @staticmethod
    @abstractmethod
    def util(): ...
class B(A):
    size = 3
    @classmethod
    def make(cls): return cls()
    @staticmethod
    def util(): return "u"
print(sorted(A.__abstractmethods__), B.make().size, B.util(), type(B).__name__)
try:
    A()
except TypeError as e:
    print(e)

# --- abc_super_calls_abstract_implementation
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def run(self): return "base"
class B(A):
    def run(self): return super().run() + "+b"
print(B().run(), issubclass(B, A), issubclass(B, ABC))

# --- abc_register_makes_virtual_subclasses
from abc import ABC
class Shape(ABC): pass
class Other: pass
print(issubclass(Other, Shape))
print(Shape.register(Other) is Other, issubclass(Other, Shape), isinstance(Other(), Shape), Shape in Other.__mro__)
@Shape.register
class Deco: pass
class Sub(Deco): pass
print(isinstance(Sub(), Shape), isinstance(3, Shape))

# --- abc_subclasshook_decides
from abc import ABC
class Drawable(ABC):
    @classmethod
    def __subclasshook__(cls, c):
        if cls is Drawable:
            return hasattr(c, "draw")
        return NotImplemented
class A:
    def draw(self): pass
print(isinstance(A(), Drawable), isinstance(3, Drawable), issubclass(A, Drawable))

# --- numbers_tower_knows_builtin_numbers
import numbers
from numbers import Number, Integral, Real
for x in (1, True, 1.5, 2j, "s", 10**30):
    print(repr(x), isinstance(x, Number), isinstance(x, Integral), isinstance(x, Real), isinstance(x, numbers.Complex))
print(issubclass(int, Integral), issubclass(Integral, Number), issubclass(float, Integral))
