# SPDX-License-Identifier: GPL-3.0-or-later
# Classes.

# --- class_attributes_and_instance_attributes
class A:
    n = 0
    items = []
    def __init__(self): A.n += 1
a, b = A(), A()
a.n = 10
a.items.append(1)
print(A.n, a.n, b.n, b.items, a.__dict__, b.__dict__)
del a.n
print(a.n, getattr(a, "zzz", "default"), hasattr(a, "n"))

# --- class_methods_and_static_methods
class A:
    count = 0
    def __init__(self, v): self.v = v
    @classmethod
    def make(cls, *args): return cls(*args)
    @staticmethod
    def util(x): return x * 2
    def me(self): return type(self).__name__
class B(A): pass
print(A.make(1).me(), B.make(2).me(), B(1).make(3).v, A.util(4), B(0).util(5))
m = B(6).me
print(m(), A.me(B(1)))

# --- class_repr_and_type
class A: pass
class B(A):
    class Inner: pass
print(A, B.Inner, type(A), type(A()), type(3), type(type), B.__bases__, B.Inner.__qualname__, A.__module__)
print(A.__name__, A.__doc__, isinstance(A(), A), isinstance(B(), A), issubclass(B, (int, A)), type(B()) is B, B.__base__)

# --- type_with_three_arguments_makes_a_class
def hello(self): return f"hello {self.n}"
A = type("A", (), {"n": 5, "hello": hello})
B = type("B", (A,), {"n": 6})
print(A().hello(), B().hello(), B.__mro__[1] is A, B.__name__, A)

# --- getattr_setattr_delattr_by_name
class A: pass
a = A()
setattr(a, "x", 1)
for i in range(3):
    setattr(a, f"layer{i}", i * i)
print(getattr(a, "x"), sorted(vars(a).items()), hasattr(a, "layer2"))
delattr(a, "x")
try:
    getattr(a, "x")
except AttributeError as e:
    print(e)

# --- getattr_hook_runs_for_missing_names_only
class A:
    here = 1
    def __getattr__(self, name):
        if name.startswith("dyn_"): return name[4:]
        raise AttributeError(f"no {name} here")
a = A()
print(a.here, a.dyn_x, getattr(a, "zz", "dflt"), hasattr(a, "dyn_q"), hasattr(a, "q"))
try:
    a.q
except AttributeError as e:
    print(e)

# --- getattribute_hook_sees_every_name
class A:
    x = 1
    def __getattribute__(self, name):
        if name == "magic": return 42
        return object.__getattribute__(self, name)
    def __getattr__(self, name): return "fallback " + name
a = A()
a.y = 2
print(a.magic, a.x, a.y, a.z)

# --- setattr_hook_runs_for_every_assignment
class A:
    def __init__(self):
        self.log = []
        self.x = 1
    def __setattr__(self, name, value):
        if name != "log":
            self.log.append((name, value))
        super().__setattr__(name, value)
    def __delattr__(self, name):
        self.log.append(("del", name))
        object.__delattr__(self, name)
a = A()
a.x = 2
a.x += 5
setattr(a, "y", 3)
del a.y
print(a.log, a.x, hasattr(a, "y"))

# --- new_makes_and_init_fills
class A:
    def __new__(cls, *args, **kw):
        print("new", cls.__name__, args, kw)
        return super().__new__(cls)
    def __init__(self, x, k=0):
        print("init", x, k)
        self.x = x
a = A(1, k=2)
class Single:
    _one = None
    def __new__(cls):
        if cls._one is None:
            cls._one = object.__new__(cls)
        return cls._one
print(Single() is Single())
class Odd:
    def __new__(cls): return 5
    def __init__(self): print("never")
print(Odd())

# --- init_subclass_registers_children
class Base:
    registry = {}
    def __init_subclass__(cls, name=None, **kw):
        super().__init_subclass__(**kw)
        cls.registry[name or cls.__name__] = cls
class A(Base): pass
class B(Base, name="bee"): pass
class C(B): pass
print(sorted(Base.registry), Base.registry["bee"] is B)

# --- set_name_tells_descriptors_their_name
class Field:
    def __init__(self, default): self.default = default
    def __set_name__(self, owner, name):
        self.name = "_" + name
        print("named", owner.__name__, name)
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return getattr(obj, self.name, self.default)
    def __set__(self, obj, value):
        if value < 0: raise ValueError("negative")
        setattr(obj, self.name, value)
class A:
    x = Field(1)
    y = Field(2)
a = A()
a.x = 10
print(a.x, a.y, a.__dict__, type(A.x).__name__)
try:
    a.y = -1
except ValueError as e:
    print(e)

# --- data_descriptors_win_over_the_instance
class Data:
    def __get__(self, o, t): return "data"
    def __set__(self, o, v): print("set", v)
    def __delete__(self, o): print("deleted")
class NonData:
    def __get__(self, o, t): return "nondata"
class A:
    d = Data()
    n = NonData()
a = A()
a.__dict__["d"] = 1
a.__dict__["n"] = 2
a.d = 5
print(a.d, a.n, A.d, A.n)
del a.d

# --- metaclass_makes_and_calls_classes
class Meta(type):
    def __new__(mcls, name, bases, ns, **kw):
        print("meta new", name, kw)
        ns["added"] = name.lower()
        return super().__new__(mcls, name, bases, ns)
    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
        cls.order = [k for k in ns if not k.startswith("__")]
    def __call__(cls, *args):
        obj = super().__call__(*args)
        obj.called = True
        return obj
    def __len__(cls): return 7
    @property
    def shout(cls): return cls.__name__.upper()
class A(metaclass=Meta, flag=1):
    x = 1
    def __init__(self, v=0): self.v = v
class B(A): y = 2
print(A.added, B.added, A.order, A(3).called, len(A), A.shout, type(B) is Meta, isinstance(A, Meta))

# --- metaclass_registry_and_instancecheck
class Any_(type):
    def __instancecheck__(cls, x): return x == 42 or type(x) is cls
    def __subclasscheck__(cls, c): return c is int
    def __getitem__(cls, k): return (cls.__name__, k)
    def __iter__(cls): return iter("ab")
    def __contains__(cls, x): return x == 1
class T(metaclass=Any_): pass
print(isinstance(42, T), isinstance(3, T), isinstance(T(), T), issubclass(int, T), issubclass(str, T), T["k"], list(T), 1 in T)

# --- class_getitem_makes_classes_subscriptable
class A:
    def __class_getitem__(cls, item): return f"{cls.__name__}[{item}]"
class B(A): pass
print(A[1], B["x"], A[1, 2])

# --- class_decorators_replace_the_class
def add(**kw):
    def deco(cls):
        for k, v in kw.items(): setattr(cls, k, v)
        return cls
    return deco
registry = []
@registry.append
class Gone: pass
@add(a=1, b=2)
class A:
    """Doc."""
print(A.a + A.b, A.__doc__, Gone, registry[0].__name__)

# --- slots_limit_attributes
class A:
    __slots__ = ("x", "y")
    def __init__(self): self.x = 1
a = A()
a.y = 2
print(a.x, a.y, A.__slots__)
try:
    a.z = 3
except AttributeError as e:
    print(e)
class B(A): pass
b = B()
b.z = 5
print(b.z, b.x)

# --- class_body_runs_statements
class A:
    print("in body")
    table = {}
    for i in range(3):
        table[i] = i * i
    def m(self): return self.table[2]
    alias = m
    if len(table) == 3:
        big = property(lambda self: sum(self.table.values()))
    del i
print(A().m(), A().alias(), A().big, hasattr(A, "i"))

# --- methods_can_be_added_later
class A: pass
a = A()
A.m = lambda self, x: x * 2
a.f = lambda x: x + 1
print(a.m(4), a.f(4), A.m(None, 3))
def patched(self): return "patched"
A.m = patched
print(a.m())

# --- attribute_errors_name_class_and_attribute
class A: pass
def attempt(f):
    try:
        f()
    except (AttributeError, TypeError) as e:
        print(type(e).__name__, e)
attempt(lambda: A().x)
attempt(lambda: A.x)
attempt(lambda: None.x)
attempt(lambda: (3).foo)
attempt(lambda: [].push)
attempt(lambda: len.zzz)
attempt(lambda: "s".nope())
attempt(lambda: A()())
attempt(lambda: A() + 1)
attempt(lambda: A()[0])
attempt(lambda: len(A()))
attempt(lambda: iter(A()))
attempt(lambda: A() < A())
attempt(lambda: -A())
attempt(lambda: delattr(A(), "x"))
attempt(lambda: setattr(3, "x", 1))

# --- dir_and_vars_list_names
class A:
    x = 1
    def m(self): pass
a = A()
a.y = 2
print([n for n in dir(a) if not n.startswith("__")], vars(a), [k for k in vars(A) if not k.startswith("__")])

# --- instances_share_methods_not_state
class Stack:
    def __init__(self, *xs): self._d = list(xs)
    def push(self, x):
        self._d.append(x)
        return self
    def pop(self): return self._d.pop()
    def __len__(self): return len(self._d)
    def __bool__(self): return bool(self._d)
s = Stack(1)
print(len(s.push(2).push(3)), s.pop(), s._d, bool(Stack()), Stack() or "empty")

# --- object_equality_and_default_repr
class A: pass
a = A()
print(a == a, a == A(), a != A(), repr(a).startswith("<__main__.A object at 0x"), str(a) == repr(a), a in [a], hash(a) == hash(a))

# --- class_level_lookup_through_instances_of_subclasses
class Base:
    name = "base"
    def hello(self): return f"I am {self.name}"
class A(Base): name = "a"
a = A()
print(a.hello())
a.name = "inst"
print(a.hello(), A.hello(Base()), a.__class__.name, a.__class__.__mro__[1].name)

# --- assigning_dunder_class_and_dict
class A:
    def who(self): return "A"
class B:
    def who(self): return "B"
a = A()
a.__class__ = B
print(a.who(), isinstance(a, B))
a.__dict__["k"] = 5
a.__dict__.update(z=6)
print(a.k, a.z, a.__dict__)

# --- classes_know_their_subclasses
class A: pass
class B(A): pass
class C(A, dict): pass
class D(B): pass
print(A.__subclasses__(), B.__subclasses__(), D.__subclasses__(), C in dict.__subclasses__(), type.__subclasses__(A) == [B, C])
def all_below(cls):
    found = []
    for sub in cls.__subclasses__():
        found += [sub.__name__, *all_below(sub)]
    return found
print(all_below(A), bool in int.__subclasses__(), ArithmeticError.__subclasses__()[:2])
class Meta(type):
    def __subclasses__(cls):
        return ["own"]
class E(metaclass=Meta): pass
class F(E): pass
print(E.__subclasses__(), type.__subclasses__(E) == [F], Meta.__subclasses__(Meta))
import abc
class G(abc.ABC): pass
class H(G): pass
G.register(int)
print(G.__subclasses__(), [sub for sub in G.__subclasses__() if issubclass(sub, H)])
made = type("Made", (A,), {})
print(A.__subclasses__()[-1] is made, len(A.__subclasses__()))

# --- classes_are_prepared_by_their_metaclass
class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kwds):
        print(mcs.__name__, name, [b.__name__ for b in bases], kwds)
        return {"made": 3}
    def __new__(mcs, name, bases, names, **kwds):
        print(sorted(key for key in names if not key.startswith("__")))
        return super().__new__(mcs, name, bases, names)
    def __init__(cls, name, bases, names, **kwds):
        super().__init__(name, bases, names)
class P(metaclass=Meta, flag=True):
    other = made + 1
class Q(P): pass
print(P.made, P.other, Q.made, type.__prepare__("n", ()), type.__prepare__())
class Recorder(dict):
    def __init__(self):
        self.order = []
    def __setitem__(self, key, value):
        if not key.startswith("__"):
            self.order.append(key)
        super().__setitem__(key, value)
    def __missing__(self, key):
        if key.startswith("auto"):
            return key.upper()
        raise KeyError(key)
class Ordered(type):
    __prepare__ = classmethod(lambda mcs, name, bases: Recorder())
    def __new__(mcs, name, bases, names):
        made = super().__new__(mcs, name, bases, dict(names))
        made.order = names.order
        return made
class R(metaclass=Ordered):
    b = 1
    a: int = auto_1
    b = len(str(b))
    def f(self): pass
    for i in range(2): pass
    del i
print(R.order, R.a, R.__annotations__, hasattr(R, "i"))
class Bad(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return 3
try:
    class S(metaclass=Bad): pass
except TypeError as e:
    print(e)
def function(name, bases, names, **kwds):
    return name, bases, sorted(key for key in names if not key.startswith("__")), kwds
class T(metaclass=function, k=1):
    x = 1
print(T)
import types
print(types.prepare_class("n", (P,), {"k": 2})[::2], types.new_class("N", (P,), {}, lambda names: names.update(z=1)).z)
print(types.resolve_bases((int, list[int])), types.new_class("L", (list[int],)).__orig_bases__)

# --- classes_replace_their_bases
from typing import Dict, Generic, Protocol, TypeVar
T = TypeVar("T")
class Mixin:
    def __init__(self, *classes):
        self.classes = classes
    def __mro_entries__(self, bases):
        print(len(bases))
        return self.classes
class X: pass
class Y: pass
class A(Mixin(X, Y), list[int], Mixin()): pass
print([b.__name__ for b in A.__bases__], len(A.__orig_bases__), A.__orig_bases__[1])
class B(Dict[str, T], Generic[T]): pass
print([b.__name__ for b in B.__bases__], B.__orig_bases__, "__orig_bases__" in vars(X))
class C(Protocol[T], Generic[T]): pass
print([b.__name__ for b in C.__bases__])

# --- metaclasses_that_are_no_types
class Plain:
    def __init__(self, *given, **kwds):
        self.given, self.kwds = given, kwds
class A(metaclass=Plain, k=1):
    x = 1
print(type(A).__name__, A.given[:2], sorted(A.given[2]), A.kwds)
class Prepared:
    def __prepare__(name, bases):
        return {"start": 1}
    def __new__(cls, *given):
        return given
class B(metaclass=Prepared):
    y = start + 1
print(B[:2], B[2]["y"])
for metaclass in (int, object, Plain):
    try:
        class C(metaclass=metaclass): pass
        print(C.given[0])
    except TypeError as e:
        print(type(e).__name__)
try:
    class D(int, metaclass=Plain): pass
except TypeError as e:
    print(e)
class Names:
    def __init__(self): self.names = {}
    def __getitem__(self, key): return self.names[key]
    def __setitem__(self, key, value): self.names[key] = value
class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return Names()
try:
    class E(metaclass=Meta): pass
except TypeError as e:
    print(e)
class Unpacking(Meta):
    def __new__(mcs, name, bases, names):
        return super().__new__(mcs, name, bases, names.names)
class F(metaclass=Unpacking): z = 2
print(F.z)
