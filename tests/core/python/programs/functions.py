# SPDX-License-Identifier: GPL-3.0-or-later
# Functions and their arguments.

# --- function_with_all_kinds_of_parameters
def f(a, b, /, c, d=4, *args, e, g=7, **kw):
    return a, b, c, d, args, e, g, kw
print(f(1, 2, 3, e=5))
print(f(1, 2, c=3, e=5, z=9))
print(f(1, 2, 3, 40, 50, 60, e=0, g=1, b=8))
print(f(*[1, 2], **{"c": 3, "e": 4}))

# --- default_values_are_evaluated_once
def f(x, seen=[]):
    seen.append(x)
    return seen
print(f(1), f(2), f(3, []), f(4))
n = 5
def g(x=n): return x
n = 6
print(g(), g.__defaults__, f.__defaults__)

# --- keyword_only_defaults
def f(*, a, b=2): return a, b
print(f(a=1), f(b=3, a=4), f.__kwdefaults__)
def g(x, *, key=None): return x if key is None else key(x)
print(g(-3), g(-3, key=abs))

# --- functions_are_values
def add(a, b): return a + b
ops = {"add": add, "mul": lambda a, b: a * b}
print([ops[k](3, 4) for k in ops], [f.__name__ for f in ops.values()])
def apply(f, *args, **kw): return f(*args, **kw)
print(apply(add, 1, b=2), apply(apply, add, 5, 6))

# --- function_attributes_and_doc
def f(x):
    "The doc."
    return x
f.calls = 3
f.calls += 1
print(f.__doc__, f.calls, f.__name__, f.__qualname__, f.__module__, f.__dict__, hasattr(f, "zzz"))
f.__name__ = "other"
f.__doc__ = None
print(f.__name__, f.__doc__)

# --- function_without_return_gives_none
def f(): pass
def g(): return
def h(x):
    if x: return 1
print(f(), g(), h(1), h(0))

# --- lambdas_take_defaults_and_stars
print((lambda: 5)(), (lambda x, y=2: x + y)(1), (lambda *a, **k: (a, k))(1, 2, z=3), (lambda x: lambda y: x - y)(9)(4))
print(sorted([(1, "b"), (2, "a")], key=lambda p: p[1]), (lambda a, /, b, *, c: (a, b, c))(1, b=2, c=3))
f = lambda x: (yield x)
print(list(f(4)), (lambda: 0).__name__)

# --- recursion_with_helper
def fact(n): return 1 if n <= 1 else n * fact(n - 1)
def is_even(n): return True if n == 0 else is_odd(n - 1)
def is_odd(n): return False if n == 0 else is_even(n - 1)
def hanoi(n, a="A", b="B", c="C"):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)
print(fact(20), fact(30), is_even(100), hanoi(6))

# --- nested_functions_and_early_return
def outer(xs):
    def pick(x):
        for low, name in ((100, "big"), (10, "mid")):
            if x >= low:
                return name
        return "small"
    return [pick(x) for x in xs]
print(outer([5, 50, 500]))

# --- argument_evaluation_order
def t(x):
    print("eval", x)
    return x
def f(*a, **k): return a, k
print(f(t(1), *[t(2)], t(3), k=t(4), **{"z": t(5)}))

# --- arguments_bind_to_the_same_object
def change(l, d):
    l.append(1)
    d = {"new": 1}
    return d
a, b = [], {}
print(change(a, b), a, b)
def swap(x, y): return y, x
x, y = swap(1, 2)
print(x, y)

# --- call_errors_say_what_is_wrong
def f(a, b, c=3): pass
def g(*, k): pass
def h(a, /): pass
def none(): pass
def attempt(call):
    try:
        call()
    except TypeError as e:
        print(e)
attempt(lambda: f())
attempt(lambda: f(1))
attempt(lambda: f(1, 2, 3, 4))
attempt(lambda: f(1, 2, d=4))
attempt(lambda: f(1, 2, a=1))
attempt(lambda: g())
attempt(lambda: g(1))
attempt(lambda: g(1, k=2))
attempt(lambda: h(a=1))
attempt(lambda: none(1))
attempt(lambda: f(**{"a": 1}, **{"a": 2}))
attempt(lambda: f(*3))
attempt(lambda: f(**3))
attempt(lambda: (lambda x, y, z: 0)())

# --- method_call_errors_count_self
class A:
    def m(self, x): pass
    def n(): pass
    @classmethod
    def c(cls, y): pass
    @staticmethod
    def s(z): pass
def attempt(call):
    try:
        call()
    except TypeError as e:
        print(e)
attempt(lambda: A().m())
attempt(lambda: A().m(1, 2))
attempt(lambda: A().n())
attempt(lambda: A.m())
attempt(lambda: A.c())
attempt(lambda: A.s())
attempt(lambda: A(1))

# --- annotations_are_kept_and_not_checked
def f(x: int, *, y: "str" = 1) -> None: return y
print(f("s"), f.__annotations__, f(1, y=2.5))
z: int = "not an int"
w: list
print(z, __annotations__)
try:
    w
except NameError as e:
    print(e)

# --- functions_compare_by_identity
def make(): return lambda: 1
a, b = make(), make()
print(a == b, a == a, a() == b(), len({a, b, a}), callable(a), callable(3), bool(a))

# --- function_repr_begins_with_its_name
def f(): pass
class A:
    def m(self): pass
print(repr(f).startswith("<function f at 0x"), repr(A.m).startswith("<function A.m at"), repr(A().m).startswith("<bound method A.m of <__main__.A object at"))
print(repr(len), repr(print), repr([].append).startswith("<built-in method append of list object"), repr(lambda: 0)[:21])

# --- code_objects_tell_parameters
def f(a, b, /, c, *args, d=1, **kw):
    local = 1
    return local
c = f.__code__
print(c.co_argcount, c.co_posonlyargcount, c.co_kwonlyargcount, c.co_varnames[:6], c.co_name, bool(c.co_flags & 4), bool(c.co_flags & 8))
