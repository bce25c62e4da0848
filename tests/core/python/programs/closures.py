# SPDX-License-Identifier: GPL-3.0-or-later
# Closures.

# --- closure_counts_with_nonlocal
def counter(start=0):
    n = start
    def step(by=1):
        nonlocal n
        n += by
        return n
    return step
a, b = counter(), counter(10)
print(a(), a(), b(), a(5), b(-1))

# --- closures_in_loops_see_the_last_value
fs = [lambda: i for i in range(3)]
gs = [lambda i=i: i for i in range(3)]
hs = []
for k in "xyz":
    hs.append(lambda: k)
print([f() for f in fs], [g() for g in gs], [h() for h in hs])

# --- closures_share_one_cell
def make():
    x = 1
    def get(): return x
    def put(v):
        nonlocal x
        x = v
    return get, put
get, put = make()
put(7)
print(get())
g2, p2 = make()
print(g2(), get())

# --- closure_over_parameters_and_later_assignments
def f(a, *rest, k=1, **kw):
    def inner(): return a, rest, k, kw, later
    later = "later"
    a = a * 2
    return inner()
print(f(1, 2, 3, k=4, z=5))

# --- closure_over_a_name_not_yet_bound
def f():
    def g(): return x
    try:
        g()
    except NameError as e:
        print(type(e).__name__, e)
    x = 1
    return g()
print(f())

# --- closures_three_deep
def a(x):
    def b(y):
        def c(z):
            nonlocal x
            x += 1
            return x, y, z
        return c
    return b
c = a(1)("y")
print(c(0), c(1), a(5)(6)(7))

# --- class_body_does_not_see_its_names_in_methods
x = "global"
class A:
    x = "class"
    y = x + "!"
    def m(self): return x
    items = [x for _ in range(1)]
print(A.y, A().m(), A.items)
def f():
    x = "local"
    class B:
        z = x
        def m(self): return x
    return B
print(f().z, f()().m())

# --- closure_deleted_names
def f():
    x = 1
    def g(): return x
    del x
    try:
        return g()
    except NameError as e:
        return str(e)
print(f())

# --- decorators_with_state_by_closure
def memo(f):
    cache = {}
    def wrapper(n):
        if n not in cache:
            cache[n] = f(n)
        return cache[n]
    wrapper.cache = cache
    return wrapper
@memo
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(50), len(fib.cache))

# --- compose_functions
def compose(*fs):
    def run(x):
        for f in reversed(fs):
            x = f(x)
        return x
    return run
print(compose(str, lambda x: x + 1, abs)(-4), compose()(3))

# --- comprehension_inside_closure_captures_names
def f(n):
    k = 10
    rows = [[k * i + j for j in range(n)] for i in range(2)]
    total = sum(x for row in rows for x in row if x != k)
    return rows, total, {i: (lambda: i + k)() for i in range(2)}
print(f(3))

# --- closures_show_their_cells
import types
def outer(a, b=2):
    c = [3]
    def inner(d):
        def innermost():
            return a, c
        return a + b, innermost
    return inner
f = outer(1)
print([cell.cell_contents for cell in f.__closure__], f.__code__.co_freevars, outer.__closure__, f(0)[1].__closure__[0] is f.__closure__[0])
print(dict(zip(f.__code__.co_freevars, (cell.cell_contents for cell in f.__closure__))))
f.__closure__[0].cell_contents = 10
print(f(0)[0], isinstance(f.__closure__[0], types.CellType), type(f.__closure__), type(f.__closure__[0]).__name__)
def late():
    def g():
        return x
    try:
        g.__closure__[0].cell_contents
    except ValueError as e:
        print(e)
    x = 5
    return g
g = late()
print(g.__closure__[0].cell_contents, (lambda: 1).__closure__, [h.__closure__[0].cell_contents for h in [lambda: i for i in range(3)]])
class A:
    def m(self):
        return super().__init__()
    def n(self): pass
print(A.m.__closure__[0].cell_contents is A, A.n.__closure__, A().m.__closure__ is not None)
