# SPDX-License-Identifier: GPL-3.0-or-later
# with statements.

# --- with_calls_enter_and_exit
class C:
    def __init__(self, n): self.n = n
    def __enter__(self):
        print("enter", self.n)
        return self.n
    def __exit__(self, t, v, tb):
        print("exit", self.n, t and t.__name__, v, tb is not None)
        return self.n == 2
with C(1) as a, C(5) as b:
    print(a, b)
with C(2):
    raise ValueError("swallowed")
try:
    with C(3) as c:
        raise KeyError("out")
except KeyError as e:
    print(e, c)

# --- with_in_parentheses_and_tuple_targets
class C:
    def __enter__(self): return (1, [2, 3])
    def __exit__(self, *a): pass
with (C() as (x, [y, z]), C() as w,):
    print(x, y, z, w)
class Holder: pass
h = Holder()
with C() as h.value:
    print(h.value)

# --- with_exits_in_reverse_when_enter_fails
class C:
    def __init__(self, n, bad=False): self.n, self.bad = n, bad
    def __enter__(self):
        if self.bad: raise RuntimeError("enter " + self.n)
        print("in", self.n)
    def __exit__(self, *a): print("out", self.n)
try:
    with C("a"), C("b", True), C("c"):
        print("never")
except RuntimeError as e:
    print(e)

# --- with_leaves_by_return_break_and_continue
class C:
    def __enter__(self): return self
    def __exit__(self, *a): print("exit", a[0])
def f():
    with C():
        return "returned"
print(f())
for i in range(3):
    with C():
        if i == 0: continue
        break
print(i)

# --- with_exit_may_raise_its_own
class C:
    def __enter__(self): pass
    def __exit__(self, t, v, tb): raise TypeError("from exit")
try:
    with C():
        raise ValueError("body")
except TypeError as e:
    print(e, repr(e.__context__))

# --- with_needs_a_context_manager
for x in (5, [], None):
    try:
        with x: pass
    except TypeError as e:
        print(e)
