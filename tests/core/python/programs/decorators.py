# SPDX-License-Identifier: GPL-3.0-or-later
# Decorators.

# --- decorators_apply_from_the_bottom
def a(f):
    print("a on", f.__name__)
    def w(*x): return "a" + f(*x)
    return w
def b(arg):
    print("b made", arg)
    def deco(f):
        print("b on", f.__name__)
        def w(*x): return arg + f(*x)
        return w
    return deco
@a
@b("B")
def f(x): return x
print(f("!"))

# --- decorator_classes_and_methods
class Count:
    def __init__(self, f): self.f, self.n = f, 0
    def __call__(self, *a):
        self.n += 1
        return self.f(*a)
    def __get__(self, obj, owner=None):
        return self if obj is None else lambda *a: self(obj, *a)
@Count
def hi(x): return f"hi {x}"
class A:
    @Count
    def m(self, x): return x * 2
print(hi(1), hi(2), hi.n, A().m(4), A.m.n)

# --- decorator_expressions
table = {}
def register(name):
    def deco(f):
        table[name] = f
        return f
    return deco
class Reg:
    items = []
    def add(self, f):
        self.items.append(f.__name__)
        return f
r = Reg()
@register("x")
@r.add
def fx(): return 1
@(lambda f: f() + 1)
def value(): return 41
@[register][0]("y")
def fy(): return 2
print(sorted(table), table["x"](), r.items, value, table["y"]())

# --- decorator_with_optional_arguments
def tag(f=None, *, name="p"):
    if f is None: return lambda g: tag(g, name=name)
    return lambda *a: f"<{name}>{f(*a)}</{name}>"
@tag
def x(t): return t
@tag(name="b")
def y(t): return t
print(x("1"), y("2"))

# --- decorator_order_with_property_and_classmethod
class A:
    _v = 3
    @classmethod
    def make(cls): return cls()
    @property
    def v(self): return self._v
    @staticmethod
    def s(x): return x
    @(lambda f: property(f))
    def w(self): return "w"
print(A.make().v, A.s(1), A().w)
