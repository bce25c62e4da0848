# SPDX-License-Identifier: GPL-3.0-or-later
# Inheritance, method order and super().

# --- mro_of_a_diamond
class A:
    def f(self): return ["A"]
class B(A):
    def f(self): return ["B"] + super().f()
class C(A):
    def f(self): return ["C"] + super().f()
class D(B, C):
    def f(self): return ["D"] + super().f()
print(D().f(), [c.__name__ for c in D.__mro__], [c.__name__ for c in D.mro()])

# --- super_init_chain_with_keywords
class Base:
    def __init__(self, **kw):
        print("Base", kw)
class A(Base):
    def __init__(self, a=1, **kw):
        super().__init__(**kw)
        self.a = a
class B(Base):
    def __init__(self, b=2, **kw):
        super().__init__(**kw)
        self.b = b
class C(A, B):
    def __init__(self, c, **kw):
        super().__init__(**kw)
        self.c = c
o = C(3, a=10, z=0)
print(o.a, o.b, o.c)

# --- super_with_explicit_arguments
class A:
    def f(self): return "A.f"
class B(A):
    def f(self): return "B.f+" + super(B, self).f()
class C(B):
    def f(self): return "C.f+" + super(B, self).f()
    def g(self): return super().f()
print(B().f(), C().f(), C().g(), super(C, C()).f())

# --- super_in_classmethods_and_properties
class A:
    @classmethod
    def make(cls): return [cls.__name__, "A"]
    @property
    def p(self): return 1
    @staticmethod
    def s(): return "s"
class B(A):
    @classmethod
    def make(cls): return super().make() + ["B"]
    @property
    def p(self): return super().p + 1
    def t(self): return super().s()
print(B.make(), B().p, B().t())

# --- super_sets_attributes_through_the_base
class A:
    def __setattr__(self, n, v):
        object.__setattr__(self, n, ("A", v))
class B(A):
    def __setattr__(self, n, v):
        super().__setattr__(n, v * 2)
b = B()
b.x = 4
print(b.x)

# --- super_reaches_dunder_methods
class A:
    def __len__(self): return 3
    def __getitem__(self, i): return i * 10
    def __repr__(self): return "A()"
    def __eq__(self, o): return "eq"
class B(A):
    def __len__(self): return super().__len__() + 1
    def __getitem__(self, i): return super().__getitem__(i) + 1
    def __repr__(self): return "B:" + super().__repr__()
print(len(B()), B()[2], B(), B() == 1)

# --- super_in_nested_functions_and_comprehensions
class A:
    def f(self, x): return x * 2
class B(A):
    def f(self, x):
        def inner(): return super(B, self).f(x) + __class__.k
        return inner()
    def g(self):
        call = super().f
        return [call(i) for i in range(3)]
    k = 100
print(B().f(1), B().g())

# --- mixins_add_behaviour
class Loud:
    def speak(self): return super().speak().upper() + "!"
class Polite:
    def speak(self): return "please, " + super().speak()
class Animal:
    def speak(self): return "hi"
class Dog(Loud, Polite, Animal): pass
class Cat(Polite, Loud, Animal): pass
print(Dog().speak(), Cat().speak())

# --- isinstance_and_issubclass_follow_the_order
class A: pass
class B(A): pass
class C(A): pass
class D(B, C): pass
print(issubclass(D, A), isinstance(D(), (int, C)), issubclass(B, C), D.__bases__ == (B, C), issubclass(bool, int), issubclass(D, object))
print([k.__name__ for k in type(D()).__mro__], isinstance(True, int), isinstance(3, (str, (float, int))))

# --- attributes_are_found_along_the_method_order
class A: x = "A"
class B(A): pass
class C(A): x = "C"
class D(B, C): pass
print(D.x, D().x)
A.x = "A2"
print(D.x, B.x)
del C.x
print(D.x)

# --- subclass_of_list_and_dict
class L(list):
    def total(self): return sum(self)
    def append(self, x):
        super().append(x * 10)
    def __getitem__(self, i):
        return ("got", super().__getitem__(i))
l = L([1, 2])
l.append(3)
print(l, l.total(), l[0], len(l), l + [1], type(l + [1]).__name__, isinstance(l, list), l == [1, 2, 30])
class D(dict):
    def __missing__(self, k): return f"no {k}"
    def __getattr__(self, k):
        try: return self[k]
        except KeyError: raise AttributeError(k)
    def __setattr__(self, k, v): self[k] = v
d = D(a=1)
d.b = 2
print(d, d.a, d["zz"], d.get("zz"), sorted(d.items()), d.b, len(d), "a" in d, type(d.copy()).__name__)

# --- subclass_of_str_int_tuple_float
class S(str):
    def shout(self): return S(self.upper() + "!")
class I(int):
    def __add__(self, o): return I(int(self) + o + 100)
    def __repr__(self): return f"I({int(self)})"
class T(tuple):
    def __new__(cls, *xs): return super().__new__(cls, xs)
    first = property(lambda self: self[0])
class F(float):
    unit = "m"
s = S("hey")
print(s.shout(), type(s.shout()).__name__, s + "x", type(s + "x").__name__, len(s), s == "hey", {s: 1}["hey"])
print(I(5) + 1, I(5) * 2, I(7) == 7, [1, 2, 3][I(1)], I(3) > 2, repr(I(2)), f"{I(2)}", I(4) + I(5))
print(T(1, 2), T(4, 5).first, T(1) == (1,), F(1.5) * 2, F("2.5").unit, type(F(1) + 1).__name__)

# --- subclass_of_list_keeps_attributes_and_init
class ModuleListLike(list):
    def __init__(self, items=(), name="ml"):
        super().__init__(items)
        self.name = name
    def __repr__(self): return f"{type(self).__name__}({super().__repr__()}, {self.name})"
m = ModuleListLike([1, 2], name="q")
m.extend([3])
m[0] = 9
print(m, m.name, list(m), m[1:], max(m), sorted(m), 3 in m, [*m], m.index(3))
a, *b = m
print(a, b)

# --- subclass_of_exceptions_keeps_fields
class E(ValueError):
    def __init__(self, code, msg="dflt"):
        super().__init__(msg)
        self.code = code
    def __str__(self): return f"[{self.code}] {super().__str__()}"
class F(E): pass
for x in (E(1), F(2, "m")):
    try:
        raise x
    except ValueError as e:
        print(e, e.code, e.args, repr(e), type(e).__name__)

# --- dunder_lookup_ignores_the_instance
class A:
    def __len__(self): return 1
a = A()
a.__len__ = lambda: 99
print(len(a), a.__len__())
class B: pass
b = B()
b.__call__ = lambda: 5
try:
    b()
except TypeError as e:
    print(e)

# --- inconsistent_bases_cannot_be_ordered
class A: pass
class B(A): pass
try:
    class C(A, B): pass
except TypeError as e:
    print(str(e).splitlines()[0])
try:
    class D(A, A): pass
except TypeError as e:
    print(e)
try:
    class F(bool): pass
except TypeError as e:
    print(e)

# --- calling_base_methods_by_class_name
class A:
    def __init__(self, x): self.x = x
    def show(self): return f"A{self.x}"
class B(A):
    def __init__(self, x, y):
        A.__init__(self, x)
        self.y = y
    def show(self): return A.show(self) + f"B{self.y}"
print(B(1, 2).show())

# --- object_methods_reached_through_super
class A:
    def __init__(self, *a, **k): super().__init__()
    def __repr__(self): return "rep"
    def __str__(self): return "str:" + super().__str__()
    def __hash__(self): return 5
    def __eq__(self, o): return super().__eq__(o)
print(str(A(1, k=2)), hash(A()), A() == A(), A() != A())
try:
    object(1)
except TypeError as e:
    print(e)
