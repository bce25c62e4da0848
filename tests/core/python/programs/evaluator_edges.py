# SPDX-License-Identifier: GPL-3.0-or-later
# Where the evaluator's own parts meet: delegated generators, chained exceptions, dicts with gaps, deep values.

# --- yield_from_forwards_send_throw_and_close
def inner():
    try:
        while True:
            try:
                got = yield "i"
                print("got", got)
            except KeyError as e:
                print("inner caught", repr(e), repr(e.__context__))
    finally:
        print("inner closed")
def outer():
    r = yield from inner()
g = outer()
next(g)
g.send(1)
g.throw(KeyError("k"))
g.close()

# --- yield_from_forwards_to_any_iterator
class It:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        if self.n > 2: raise StopIteration("end")
        return self.n
    def send(self, v):
        print("sent", v)
        return self.__next__()
    def throw(self, e):
        print("thrown", repr(e))
        return 99
    def close(self): print("closed")
def over():
    r = yield from It()
    print("r", r)
g = over()
print(next(g), g.send("s"), g.throw(ValueError("v")))
try:
    next(g)
except StopIteration:
    print("stop")
g = over()
next(g)
g.close()

# --- dicts_with_erased_entries
d = {i: i for i in range(30)}
for i in range(0, 30, 3): del d[i]
d[0] = "again"
print(list(d), len(d), d.popitem(), 3 in d, d.get(4))
while d:
    del d[next(iter(d))]
print(d, len(d))
d["x"] = 1
print(d)
big = {i: None for i in range(20000)}
while big: big.popitem()
big = {i: None for i in range(20000)}
while big: del big[next(iter(big))]
print(len(big))

# --- context_of_an_error_in_finally
try:
    try:
        1 / 0
    finally:
        [][3]
except IndexError as e:
    print(repr(e.__context__), e.__cause__)

# --- contexts_form_a_chain
def nested():
    try:
        raise KeyError(1)
    except KeyError:
        try:
            raise ValueError(2)
        except ValueError as e:
            first = e.__context__
            try:
                raise TypeError(3)
            except TypeError as t:
                return first, t.__context__, t.__context__.__context__
print(nested())

# --- code_objects_of_every_kind_of_parameter
def f(a, /, b, *args, c=1, **kw):
    z = 1
    return 0
c = f.__code__
print(c.co_varnames, c.co_argcount, c.co_posonlyargcount, c.co_kwonlyargcount, c.co_flags & 15, c.co_name, c.co_firstlineno)

# --- keys_of_subclasses_of_str
class S(str): pass
print({S("a"): 1}["a"], {"a": 2}[S("a")], {S("a"), "a"})

# --- locals_in_functions
def loc(x, *r, k=2, **kw):
    y = x
    return locals()
print(loc(1, 5, z=3))
def named():
    return globals()["loc"] is loc
print(named())

# --- deep_values_are_let_go
x = None
for _ in range(50000): x = (x,)
del x
class Node:
    def __init__(self, n): self.next = n
n = None
for _ in range(50000): n = Node(n)
n = None
f = lambda: 0
for _ in range(20000): f = (lambda g: lambda: g)(f)
f = None
print("done")

# --- builtin_functions_are_no_methods
class C:
    size = len
    def h(self): return 3
print(C().size([1, 2]), C().h())

# --- os_errors_by_number
try:
    raise OSError(2, "no", "f.txt")
except FileNotFoundError as e:
    print(e, e.errno, e.filename, repr(e))
try:
    raise OSError("plain")
except OSError as e:
    print(e, e.errno)
class E(OSError): pass
print(repr(E(2, "m")), str(E(2, "m")))

# --- attributes_of_builtin_values_cannot_be_set
def attempt(f):
    try:
        f()
    except AttributeError as e:
        print(e)
def a(): range(3).start = 1
def b(): [].append = 1
def c(): (1).real = 2
def d(): [].nothing = 1
for f in (a, b, c, d): attempt(f)

# --- long_sums_are_not_deep
ones = "1" + " + 1" * 5
def total(a):
    return (a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a
       + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a + a)
print(total(1), total(0.5), total(2) - 3 - 4 - 5 * 6 + 7)
print("a" + "b" + "c" * 3 + "d", 1 - 2 - 3, 2 ** 3 ** 2, 7 // 2 * 3 % 4, 1 | 2 ^ 3 & 4 << 1)
