# SPDX-License-Identifier: GPL-3.0-or-later
# *args and **kwargs.

# --- star_args_collect_and_spread
def f(*args, **kwargs): return args, kwargs
print(f(), f(1, 2), f(a=1), f(*[1, 2], 3, *(4,), x=5, **{"y": 6}, **dict(z=7)), f(*"ab"), f(**{}), f(*range(2), *[]))
def g(a, *args, b=2, **kw): return a, args, b, kw
print(g(1), g(*[1, 2, 3], **{"b": 5, "c": 6}), g(a=1), g(b=0, a=9))

# --- star_args_forward_to_super_and_wrappers
class Base:
    def __init__(self, *layers, name="base", **opts): self.info = (layers, name, sorted(opts.items()))
class Sub(Base):
    def __init__(self, extra, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.extra = extra
s = Sub("e", 1, 2, name="n", p=0.5)
print(s.extra, s.info)
def trace(f):
    def w(*a, **k):
        print(f.__name__, a, k)
        return f(*a, **k)
    return w
print(trace(sorted)([2, 1], reverse=True))

# --- kwargs_are_copies
d = {"a": 1}
def f(**kw):
    kw["b"] = 2
    return kw
print(f(**d), d)
l = [1]
def g(*a): return a
print(g(*l) == (1,), type(g(*l)).__name__, f(**{"x y": 1})["x y"])

# --- kwargs_keys_must_be_strings
def f(**k): return k
for bad in (lambda: f(**{1: 2}), lambda: f(a=1, **{"a": 2}), lambda: f(**[1]), lambda: f(*None), lambda: print(**{"zz": 1})):
    try:
        bad()
    except TypeError as e:
        print(e)
