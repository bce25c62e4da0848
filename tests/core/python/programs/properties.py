# SPDX-License-Identifier: GPL-3.0-or-later
# Properties.

# --- property_with_getter_setter_deleter
class T:
    def __init__(self): self._c = 0
    @property
    def c(self):
        "Celsius."
        return self._c
    @c.setter
    def c(self, v):
        if v < -273: raise ValueError("too cold")
        self._c = v
    @c.deleter
    def c(self): self._c = None
    f = property(lambda self: self._c * 9 / 5 + 32)
t = T()
t.c = 100
print(t.c, t.f, T.c.__doc__, type(T.c).__name__)
del t.c
print(t.c)
try:
    t.c = -300
except ValueError as e:
    print(e)

# --- property_without_setter_refuses
class A:
    @property
    def x(self): return 1
for act in (lambda: setattr(A(), "x", 2), lambda: delattr(A(), "x")):
    try:
        act()
    except AttributeError as e:
        print(e)

# --- property_is_inherited_and_extended
class A:
    @property
    def v(self): return self._v()
    def _v(self): return "A"
class B(A):
    def _v(self): return "B"
class C(A):
    @A.v.setter
    def v(self, x): self.got = x
c = C()
c.v = 5
print(B().v, c.v, c.got)

# --- property_raising_attributeerror_falls_to_getattr
class A:
    @property
    def x(self): raise AttributeError("inner")
    def __getattr__(self, n): return f"fallback {n}"
print(A().x)
class B:
    @property
    def x(self): return self.missing
try:
    B().x
except AttributeError as e:
    print(e)
print(hasattr(B(), "x"))

# --- property_augmented_assignment
class A:
    n = 0
    @property
    def x(self):
        self.n += 1
        return self.n * 10
    @x.setter
    def x(self, v): self.last = v
a = A()
a.x += 5
print(a.last, a.n)

# --- classmethod_and_staticmethod_objects
class A:
    def plain(cls): return cls
    c = classmethod(lambda cls, x: (cls.__name__, x))
    s = staticmethod(lambda x: x + 1)
print(A.c(1), A().c(2), A.s(1), A().s(5), type(A.__dict__["c"]).__name__, type(A.__dict__["s"]).__name__)
f = staticmethod(len)
print(f([1, 2]))

# --- property_fget_and_manual_descriptor_calls
class A:
    @property
    def x(self): return "got"
    def m(self): return "m"
a = A()
print(A.x.fget(a), A.x.fset is None, A.__dict__["x"].__get__(a, A), A.m.__get__(a)(), A.m.__get__(a, A).__self__ is a)

# --- computed_property_cached_by_hand
class A:
    @property
    def big(self):
        if not hasattr(self, "_big"):
            print("compute")
            self._big = [1] * 3
        return self._big
a = A()
print(a.big, a.big is a.big)
