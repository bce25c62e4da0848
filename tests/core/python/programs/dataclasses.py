# SPDX-License-Identifier: GPL-3.0-or-later
# dataclasses.

# --- dataclass_init_repr_and_eq
from dataclasses import dataclass
@dataclass
class Config:
    width: int
    depth: int = 3
    name: str = "net"
c = Config(8)
print(c, Config(8) == c, Config(9) == c, c.depth, Config(1, 2, "x"))
print(Config(width=4, name="q"), c != Config(8, 4), c == 3)
c.depth = 5
print(c, Config.depth, Config.__name__)

# --- dataclass_fields_with_factories
from dataclasses import dataclass, field
@dataclass
class Box:
    items: list = field(default_factory=list)
    tags: dict = field(default_factory=lambda: {"k": 1}, repr=False)
    size: int = field(default=2, compare=False)
a, b = Box(), Box()
a.items.append(1)
print(a, b, a.tags is b.tags, Box(size=3) == Box(size=4), a.tags)

# --- dataclass_post_init_and_init_false
from dataclasses import dataclass, field
@dataclass
class Rect:
    w: float
    h: float
    area: float = field(init=False)
    log: list = field(init=False, default_factory=list)
    def __post_init__(self):
        self.area = self.w * self.h
        self.log.append("made")
r = Rect(2, 3.5)
print(r, r.area)

# --- dataclass_initvar_reaches_post_init
from dataclasses import dataclass, InitVar, field, fields
@dataclass
class A:
    x: int
    scale: InitVar[int] = 2
    y: int = field(init=False, default=0)
    def __post_init__(self, scale):
        self.y = self.x * scale
print(A(3), A(3, 5), [f.name for f in fields(A)])

# --- dataclass_order_compares_field_tuples
from dataclasses import dataclass
@dataclass(order=True)
class V:
    major: int
    minor: int = 0
print(V(1, 2) < V(1, 3), V(2) > V(1, 9), sorted([V(2), V(1, 5), V(1)]), V(1) <= V(1), max(V(0), V(3)))
try:
    V(1) < 3
except TypeError as e:
    print(e)

# --- dataclass_frozen_refuses_changes_and_hashes
from dataclasses import dataclass, FrozenInstanceError
@dataclass(frozen=True)
class P:
    x: int
    y: int = 0
p = P(1)
print(hash(p) == hash(P(1, 0)), {p: "v"}[P(1)], len({P(1), P(1), P(2)}))
for f in (lambda: setattr(p, "x", 3), lambda: delattr(p, "x"), lambda: setattr(p, "new", 3)):
    try:
        f()
    except FrozenInstanceError as e:
        print(type(e).__name__, e, isinstance(e, AttributeError))

# --- dataclass_eq_makes_unhashable
from dataclasses import dataclass
@dataclass
class A:
    x: int
@dataclass(eq=False)
class B:
    x: int
@dataclass(unsafe_hash=True)
class C:
    x: int
try:
    hash(A(1))
except TypeError as e:
    print(e)
print(A.__hash__, B(1) == B(1), hash(C(4)) == hash(C(4)))

# --- dataclass_inheritance_keeps_field_order
from dataclasses import dataclass, fields
@dataclass
class Base:
    a: int
    b: int = 2
@dataclass
class Derived(Base):
    c: int = 3
    a: int = 10
print(Derived(), Derived(1, c=5), [f.name for f in fields(Derived)])
class Plain(Derived):
    def total(self): return self.a + self.b + self.c
print(Plain(), Plain().total())

# --- dataclass_keyword_only_fields
from dataclasses import dataclass, field, KW_ONLY
@dataclass
class A:
    x: int
    _: KW_ONLY
    y: int = 0
    z: int
print(A(1, z=3), A(1, y=5, z=6))
@dataclass(kw_only=True)
class B:
    p: int = 1
    q: int
print(B(q=2))
@dataclass
class C:
    k: int = field(kw_only=True, default=4)
    m: int = 1
print(C(9), C.__match_args__, A.__match_args__)
for f in (lambda: A(1, 2, z=3), lambda: B(1), lambda: A(1)):
    try:
        f()
    except TypeError as e:
        print(e)

# --- dataclass_asdict_and_astuple_are_deep
from dataclasses import dataclass, asdict, astuple, field
@dataclass
class Inner:
    n: int
@dataclass
class Outer:
    one: Inner
    many: list
    named: dict
    pair: tuple = (1, 2)
o = Outer(Inner(1), [Inner(2), 3], {"k": Inner(4)})
d = asdict(o)
print(d)
print(astuple(o))
d["many"].append("x")
print(o.many)

# --- dataclass_replace_makes_a_copy
from dataclasses import dataclass, replace, field
@dataclass(frozen=True)
class Opt:
    lr: float = 0.1
    betas: tuple = (0.9, 0.999)
    made: str = field(init=False, default="yes")
o = Opt()
print(replace(o, lr=0.5), o, replace(o) == o, replace(o) is o)
for change in ({"nope": 1}, {"made": "no"}):
    try:
        replace(o, **change)
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)

# --- dataclass_classvars_are_not_fields
from dataclasses import dataclass, fields
from typing import ClassVar, List
@dataclass
class A:
    x: int
    count: ClassVar[int] = 0
    names: ClassVar[List[str]] = ["n"]
    y: int = 1
print(A(5), [f.name for f in fields(A)], A.count, A.names)

# --- dataclass_is_dataclass_and_fields
from dataclasses import dataclass, is_dataclass, fields, field, MISSING
@dataclass
class A:
    x: int = field(default=1, metadata={"unit": "m"})
    y: list = field(default_factory=list)
print(is_dataclass(A), is_dataclass(A()), is_dataclass(int), is_dataclass(3))
for f in fields(A()):
    print(f.name, f.type, f.default is MISSING, f.default_factory is MISSING, dict(f.metadata), f.init, f.repr)
try:
    fields(3)
except TypeError as e:
    print(e)

# --- dataclass_keeps_methods_of_the_class
from dataclasses import dataclass
@dataclass
class A:
    x: int
    def __repr__(self): return "custom"
    def __eq__(self, other): return True
    def double(self): return A(self.x * 2)
    @property
    def half(self): return self.x / 2
    @classmethod
    def zero(cls): return cls(0)
    @staticmethod
    def helper(): return "h"
print(A(1), A(1) == 5, A(2).double().x, A(3).half, A.zero().x, A.helper())

# --- dataclass_repr_stops_at_recursion
from dataclasses import dataclass, field
from typing import Optional
@dataclass
class Node:
    v: int
    next: Optional["Node"] = None
a = Node(1)
b = Node(2, a)
print(b)
a.next = a
print(a)

# --- dataclass_definition_errors
from dataclasses import dataclass, field
def attempt(make):
    try:
        make()
        print("fine")
    except Exception as e:
        print(type(e).__name__, e)
def a():
    @dataclass
    class A:
        x: list = []
def b():
    @dataclass
    class A:
        x: int = 1
        y: int
def c():
    @dataclass
    class A:
        x = field(default=1)
def d():
    field(default=1, default_factory=list)
def e():
    @dataclass(frozen=True)
    class A:
        x: int
    @dataclass
    class B(A):
        y: int
def f():
    @dataclass(order=True, eq=False)
    class A:
        x: int
def g():
    @dataclass
    class A:
        x: dict = field(default={})
for make in (a, b, c, d, e, f, g):
    attempt(make)

# --- dataclass_call_errors
from dataclasses import dataclass
@dataclass
class A:
    x: int
    y: int
    z: int = 0
def attempt(f):
    try:
        print(f())
    except TypeError as e:
        print(e)
attempt(lambda: A())
attempt(lambda: A(1))
attempt(lambda: A(1, 2, 3, 4))
attempt(lambda: A(1, 2, q=1))
attempt(lambda: A(1, 2, x=3))

# --- dataclass_in_match_statement
from dataclasses import dataclass
@dataclass
class Conv:
    out: int
    k: int = 3
@dataclass
class Pool:
    k: int
def describe(layer):
    match layer:
        case Conv(out, 1): return f"pointwise {out}"
        case Conv(out=o, k=k) if k > 5: return f"big {o} {k}"
        case Conv(): return "conv"
        case Pool(k): return f"pool {k}"
        case _: return "?"
print([describe(x) for x in (Conv(8, 1), Conv(4, 7), Conv(2), Pool(2), 3)])

# --- dataclass_made_at_run_time
from dataclasses import make_dataclass, field, dataclass
P = make_dataclass("P", [("x", int), ("y", int, field(default=5))])
print(P(1), P(1, 2) == P(1, 2), P.__name__)
Q = make_dataclass("Q", ["a", "b"], namespace={"total": lambda self: self.a + self.b})
print(Q(1, 2), Q(3, 4).total())

# --- dataclass_slots_and_generic_annotations
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple, Union
@dataclass
class Args:
    dim: int = 4096
    n_kv_heads: Optional[int] = None
    shape: Tuple[int, ...] = (1, 2)
    extra: Dict[str, Union[int, List[int]]] = field(default_factory=dict)
print(Args(), Args(n_kv_heads=8), Args.__annotations__)
@dataclass(slots=True)
class S:
    a: int
    b: int = 2
print(S(1), S(1) == S(1, 2))

# --- dataclass_of_a_nested_class_prints_its_qualified_name
from dataclasses import dataclass
class Outer:
    @dataclass
    class Inner:
        x: int
print(Outer.Inner(1))
def make():
    @dataclass
    class Local:
        y: int
    return Local(2)
print(make())

# --- dataclass_setattr_through_object_when_frozen
from dataclasses import dataclass, field
@dataclass(frozen=True)
class A:
    x: int
    twice: int = field(init=False)
    def __post_init__(self):
        object.__setattr__(self, "twice", self.x * 2)
print(A(4))

# --- dataclass_hash_and_compare_flags
from dataclasses import dataclass, field
@dataclass(frozen=True)
class A:
    x: int
    y: int = field(default=0, hash=False)
    z: int = field(default=0, compare=False)
print(hash(A(1, 2, 3)) == hash(A(1, 5, 6)), A(1, 2, 3) == A(1, 2, 9), A(1, 2) == A(1, 3))

# --- dataclass_subclass_extends_post_init
from dataclasses import dataclass
@dataclass
class Base:
    n: int = 1
    def __post_init__(self):
        print("base", self.n)
@dataclass
class Sub(Base):
    m: int = 2
    def __post_init__(self):
        super().__post_init__()
        print("sub", self.n + self.m)
Sub(5)
Base()
