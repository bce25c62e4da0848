# SPDX-License-Identifier: GPL-3.0-or-later
# Generators.

# --- generator_yields_lazily
def g(n):
    print("start")
    for i in range(n):
        print("make", i)
        yield i * i
    print("end")
it = g(2)
print(next(it), next(it), next(it, "done"), next(it, "still done"))

# --- generator_send_receives_values
def avg():
    total, n, mean = 0, 0, None
    while True:
        x = yield mean
        if x is None: break
        total += x
        n += 1
        mean = total / n
    return "final"
g = avg()
print(next(g), g.send(10), g.send(20))
try:
    g.send(None)
except StopIteration as e:
    print("value", e.value, e.args)

# --- generator_throw_raises_inside
def g():
    while True:
        try:
            x = yield "ready"
            print("got", x)
        except ValueError as e:
            print("handled", e)
            yield "recovered"
it = g()
print(next(it), it.throw(ValueError("boo")), next(it))
try:
    it.throw(KeyError("k"))
except KeyError as e:
    print("out", e)
print(next(it, "finished"))

# --- generator_close_runs_finally
def g():
    try:
        yield 1
        yield 2
    finally:
        print("cleanup")
it = g()
print(next(it))
it.close()
print(list(it))
h = g()
h.close()
def bad():
    try:
        yield 1
    except GeneratorExit:
        yield 2
b = bad()
next(b)
try:
    b.close()
except RuntimeError as e:
    print(e)

# --- yield_from_delegates_and_gives_the_return
def inner():
    x = yield "a"
    print("inner got", x)
    yield "b"
    return "result"
def outer():
    r = yield from inner()
    print("r", r)
    yield from "xy"
    yield from [1]
g = outer()
print(next(g), g.send("S"), list(g))

# --- yield_from_passes_exceptions
def inner():
    try:
        yield 1
    except ValueError:
        yield "caught inside"
def outer():
    yield from inner()
    yield "after"
g = outer()
next(g)
print(g.throw(ValueError), list(g))

# --- generator_expression_is_lazy_and_once
g = (x * x for x in range(4) if x % 2 == 0 or x == 3)
print(list(g), list(g), sum(x for x in (1, 2)), max((len(w), w) for w in ["a", "bbb", "cc"]))
n = 3
h = (n * x for x in range(3))
n = 10
print(list(h), any(x > 2 for x in [1, 2, 3]), all(x > 0 for x in []), ",".join(str(i) for i in range(3)))

# --- generator_pipeline
def numbers():
    n = 0
    while True:
        yield n
        n += 1
def evens(it):
    for x in it:
        if x % 2 == 0: yield x
def take(n, it):
    for _, x in zip(range(n), it): yield x
print(list(take(5, (x * x for x in evens(numbers())))))

# --- generator_return_and_stopiteration
def g():
    yield 1
    return 5
it = g()
next(it)
try:
    next(it)
except StopIteration as e:
    print(e.value, repr(e))
def h():
    raise StopIteration("inside")
    yield
try:
    next(h())
except RuntimeError as e:
    print(e, type(e.__cause__).__name__)

# --- recursive_generators
def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)
def perms(xs):
    if not xs: yield []
    for i, x in enumerate(xs):
        for p in perms(xs[:i] + xs[i + 1:]): yield [x] + p
def walk(d, path=()):
    for k, v in d.items():
        if isinstance(v, dict): yield from walk(v, path + (k,))
        else: yield ".".join(path + (k,)), v
print(list(tree(3)), list(perms([1, 2, 3])), list(walk({"a": 1, "b": {"c": 2, "d": {"e": 3}}})))

# --- generator_methods_in_classes
class Tree:
    def __init__(self, v, *kids): self.v, self.kids = v, kids
    def __iter__(self):
        yield self.v
        for k in self.kids: yield from k
    def named(self, prefix=""):
        yield prefix, self.v
        for i, k in enumerate(self.kids): yield from k.named(f"{prefix}.{i}" if prefix else str(i))
t = Tree(1, Tree(2, Tree(3)), Tree(4))
print(list(t), dict(t.named()), sum(t), 3 in t)

# --- generator_state_is_its_own
def counter():
    n = 0
    while True:
        cmd = yield n
        n = 0 if cmd == "reset" else n + 1
a, b = counter(), counter()
next(a), next(b)
print(next(a), next(a), next(b), a.send("reset"), next(a), next(b))

# --- generators_interleaved
def g(name):
    for i in range(3):
        yield f"{name}{i}"
queue = [g("a"), g("b"), g("c")]
out = []
while queue:
    it = queue.pop(0)
    try:
        out.append(next(it))
        queue.append(it)
    except StopIteration:
        pass
print(out)

# --- generator_with_try_and_loop
def read(lines):
    for line in lines:
        try:
            yield int(line)
        except ValueError:
            print("bad consumer")
        else:
            print("ok", line)
def parse(lines):
    for line in lines:
        try:
            v = int(line)
        except ValueError as e:
            yield str(e)
        else:
            yield v
        finally:
            print("line", line)
print(list(parse(["1", "x", "3"])))
print(sum(read(["1", "2"])))

# --- generator_misuse_errors
def g():
    yield 1
def attempt(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: g().send(5))
attempt(lambda: next(g))
attempt(lambda: g()[0])
attempt(lambda: len(g()))
attempt(lambda: next(iter([])))
def selfish():
    yield next(me)
me = selfish()
attempt(lambda: next(me))
print(type(g()).__name__, iter(g()) is not None, repr(g())[:19])

# --- generator_in_unpacking_and_calls
def g(n): yield from range(n)
a, b, c = g(3)
d, *e = g(4)
print(a, b, c, d, e, [*g(2), *g(3)], {*g(2)}, max(*g(3)), dict(zip("ab", g(2))), tuple(g(2)))
print(*g(3), sep="-")
print(sorted(g(3), reverse=True), list(map(str, g(2))), list(enumerate(g(2), 5)))

# --- generator_keeps_closure_and_exceptions_local
def g():
    try:
        yield 1
        raise KeyError("in g")
    except KeyError as e:
        yield f"handled {e}"
    yield "more"
try:
    raise ValueError("outer")
except ValueError as e:
    print(list(g()), e)

# --- deep_generator_chain
def chain(n):
    it = iter(range(3))
    for _ in range(n):
        it = (x + 1 for x in it)
    return it
print(list(chain(50)))

# --- throw_takes_one_to_three_arguments
def once():
    try:
        yield 1
    except ValueError as e:
        yield f"caught {e}"
for arguments in ((), (1,), (ValueError,), (ValueError, "value"), (ValueError, None, None), (ValueError, 1, None, 2)):
    g = once()
    next(g)
    try:
        print(g.throw(*arguments))
    except Exception as e:
        print(type(e).__name__, e)
