# SPDX-License-Identifier: GPL-3.0-or-later
# Names: local, global, nonlocal, builtins.

# --- global_statement_writes_the_module
n = 1
def inc():
    global n, fresh
    n += 1
    fresh = "made"
inc()
inc()
print(n, fresh)

# --- locals_shadow_globals
x = "g"
def f():
    x = "l"
    return x
def g(): return x
print(f(), g(), x)
def h(x): return x
print(h("p"))

# --- unbound_local_is_an_error
x = 1
def f():
    try:
        print(x)
    except UnboundLocalError as e:
        print(e)
    x = 2
f()
def g(flag):
    if flag:
        y = 1
    return y
try:
    g(False)
except UnboundLocalError as e:
    print(type(e).__name__, e, isinstance(e, NameError))

# --- builtins_can_be_shadowed_and_return
def f():
    len = lambda x: "mine"
    return len([1])
print(f(), len([1]))
list = 5
print(list)
del list
print(list((1, 2)))

# --- loop_variables_survive_the_loop
for i in range(3):
    last = i
print(i, last)
[j for j in range(3)]
try:
    j
except NameError as e:
    print(e)
for k in []:
    pass
print("k" in globals())

# --- except_name_is_deleted_after_the_block
e = "before"
try:
    1 / 0
except ZeroDivisionError as e:
    msg = str(e)
try:
    e
except NameError as err:
    print(err, msg)

# --- del_unbinds_names
a = [1]
b = a
del a
try:
    a
except NameError as e:
    print(e)
print(b)
def f(x):
    del x
    try:
        return x
    except UnboundLocalError as e:
        return str(e)
print(f(1))

# --- globals_and_locals_are_dicts
a = 1
globals()["b"] = 2
print(b, globals()["a"], "f" in globals())
def f(x, y=2):
    z = 3
    return locals()
print(f(1))
print(globals()["__name__"], vars() is globals())

# --- nonlocal_reaches_the_nearest_function
def a():
    x = "a"
    def b():
        x = "b"
        def c():
            nonlocal x
            x = "c"
        c()
        return x
    return b(), x
print(a())

# --- class_scope_reads_globals_and_builtins
base = 3
class A:
    base = base + 1
    size = len("abc")
    both = base + size
    if base > 3:
        flag = "yes"
    for i in range(2):
        pass
print(A.base, A.both, A.flag, A.i, base)

# --- private_names_are_mangled
class A:
    __x = 1
    def __init__(self):
        self.__y = 2
        self.__z__ = 3
    def get(self): return self.__x, self.__y
    def __hidden(self): return "h"
    def call(self): return self.__hidden()
a = A()
print(a.get(), sorted(a.__dict__), A._A__x, a._A__hidden(), a.call(), hasattr(a, "__y"))
class B(A):
    __x = 10
    def own(self): return self.__x
print(B().own(), B().get())
