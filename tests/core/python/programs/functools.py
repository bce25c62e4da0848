# SPDX-License-Identifier: GPL-3.0-or-later
# functools.

# --- partial_binds_positional_and_keyword_arguments
from functools import partial
def join(a, b, c=0, *rest, sep="-"):
    return sep.join(map(str, (a, b, c) + rest))
p = partial(join, 1, sep="+")
print(p(2), p(2, 3), p(2, 3, 4, sep="*"))
print(p.args, p.keywords, p.func is join)
q = partial(p, 9, c=7)
print(q(), q.args, q.keywords, q.func is join)

# --- partial_prints_builtin_function_and_arguments
from functools import partial
print(partial(len))
print(partial(max, 1, 2, key=abs))
print(repr(partial(int, base=2)), partial(int, base=2)("1011"))

# --- partial_is_not_bound_as_a_method
from functools import partial
def show(*args):
    return args
class A:
    p = partial(show, 1)
    def m(self): return self.p(2)
print(A().p(3), A().m())

# --- partial_keeps_attributes_set_on_it
from functools import partial
p = partial(print, "hello")
p.note = "n"
p("world", end="!\n")
print(p.note, callable(p), isinstance(p, partial))

# --- reduce_folds_from_the_left
from functools import reduce
import operator
print(reduce(operator.add, [1, 2, 3, 4]))
print(reduce(lambda a, b: f"({a}{b})", "abcd"))
print(reduce(operator.mul, [], 7), reduce(operator.mul, [5]))
print(reduce(lambda acc, x: acc + [x * 2], range(3), []))

# --- wraps_copies_name_doc_and_marks_wrapped
from functools import wraps
def logged(f):
    @wraps(f)
    def inner(*a, **k):
        """inner doc"""
        return f(*a, **k)
    return inner
@logged
def area(w: int, h: int = 2) -> int:
    """Area of a rectangle."""
    return w * h
print(area.__name__, area.__doc__, area.__qualname__, area(3))
print(area.__wrapped__(4, 5), area.__annotations__)

# --- wraps_copies_function_attributes
from functools import wraps, update_wrapper
def f(): pass
f.tag = "x"
@wraps(f)
def g(): return 1
print(g.tag, g.__dict__["tag"], g.__wrapped__ is f)
class Call:
    def __call__(self): return 2
c = update_wrapper(Call(), f)
print(c.__name__, c(), c.tag)

# --- lru_cache_counts_hits_and_misses
from functools import lru_cache
calls = []
@lru_cache(maxsize=2)
def sq(x):
    calls.append(x)
    return x * x
print([sq(i) for i in (1, 2, 1, 3, 2, 1)], calls)
print(sq.cache_info())
sq.cache_clear()
print(sq.cache_info(), sq.cache_info().misses, sq.cache_parameters())

# --- lru_cache_without_parentheses_memoises_recursion
from functools import lru_cache
@lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80), fib.cache_info().hits, fib.__name__)

# --- lru_cache_typed_tells_int_from_float
from functools import lru_cache
seen = []
@lru_cache(maxsize=None, typed=True)
def f(x):
    seen.append(type(x).__name__)
    return x
f(1), f(1.0), f(1), f(True)
print(seen)

# --- lru_cache_of_size_zero_never_caches
from functools import lru_cache
n = 0
@lru_cache(maxsize=0)
def f(x):
    global n
    n += 1
    return n
print(f(1), f(1), f.cache_info())

# --- cache_distinguishes_keywords
from functools import cache
@cache
def f(a, b=2, *c, k=3):
    print("run", a, b, c, k)
    return a + b + k
print(f(1), f(1, 2), f(1, b=2), f(1), f(1, k=3), f(k=3, a=1))

# --- cache_on_methods_keeps_self_apart
from functools import cache
class A:
    def __init__(self, n): self.n = n
    @cache
    def get(self):
        print("get", self.n)
        return self.n
a, b = A(1), A(2)
print(a.get(), b.get(), a.get())
print(A.get.cache_info())

# --- cached_property_is_computed_once_and_can_be_deleted
from functools import cached_property
class Data:
    @cached_property
    def total(self):
        print("computing")
        return 42
d = Data()
print(d.total, d.total, d.__dict__)
d.total = 5
print(d.total)
del d.total
print(d.total)
print(type(Data.total).__name__)

# --- total_ordering_fills_in_comparisons
from functools import total_ordering
@total_ordering
class V:
    def __init__(self, *n): self.n = n
    def __eq__(self, o): return self.n == o.n if isinstance(o, V) else NotImplemented
    def __lt__(self, o): return self.n < o.n if isinstance(o, V) else NotImplemented
a, b = V(1, 2), V(1, 3)
print(a < b, a <= b, a > b, a >= b, a != b, a <= V(1, 2), a >= V(1, 2))
try:
    a > 3
except TypeError as e:
    print(e)
try:
    a <= 3
except TypeError as e:
    print(e)

# --- total_ordering_from_greater_or_equal
from functools import total_ordering
@total_ordering
class V:
    def __init__(self, n): self.n = n
    def __eq__(self, o): return self.n == o.n
    def __ge__(self, o): return self.n >= o.n
print([[V(a) < V(b), V(a) <= V(b), V(a) > V(b), V(a) >= V(b)] for a in (1, 2) for b in (1, 2)])
print(max(V(3), V(9), V(4)).n)

# --- cmp_to_key_sorts_by_a_comparison
from functools import cmp_to_key
words = ["pear", "fig", "apple", "kiwi"]
print(sorted(words, key=cmp_to_key(lambda a, b: len(a) - len(b))))
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
k = cmp_to_key(lambda a, b: (a > b) - (a < b))
print(k(1) < k(2), k(2) == k(2), k(3) >= k(4))

# --- singledispatch_follows_the_type_of_the_first_argument
from functools import singledispatch
@singledispatch
def show(x, extra=""):
    return f"object {x!r}{extra}"
@show.register
def _(x: int, extra=""):
    return f"int {x}{extra}"
@show.register(list)
def show_list(x, extra=""):
    return f"list of {len(x)}{extra}"
@show.register(float)
@show.register(complex)
def _(x, extra=""): return f"number {x}{extra}"
print(show("a"), show(3, extra="!"), show([1, 2]), show(True), show(1.5), show(2j))
print(show.dispatch(bool) is show.dispatch(int), show.dispatch(dict).__name__)
print(show_list([1]))

# --- singledispatch_prefers_the_nearest_base
from functools import singledispatch
class A: pass
class B(A): pass
class C(B): pass
@singledispatch
def f(x): return "object"
@f.register(A)
def _(x): return "A"
@f.register(B)
def _(x): return "B"
print(f(A()), f(B()), f(C()), f(None))

# --- singledispatch_knows_abstract_classes
from functools import singledispatch
from collections.abc import Mapping, Sequence
@singledispatch
def kind(x): return "other"
@kind.register(Mapping)
def _(x): return "mapping"
@kind.register(Sequence)
def _(x): return "sequence"
print(kind({}), kind([]), kind(()), kind("s"), kind(1), kind({1}))

# --- singledispatchmethod_dispatches_on_second_argument
from functools import singledispatchmethod
class F:
    @singledispatchmethod
    def fmt(self, x): return "any"
    @fmt.register
    def _(self, x: int): return "int"
    @fmt.register
    def _(self, x: str): return "str"
print(F().fmt(1), F().fmt("s"), F().fmt(2.0))

# --- partialmethod_binds_arguments_of_a_method
from functools import partialmethod
class Cell:
    alive = False
    def set_state(self, state, note=""):
        self.alive = state
        return note
    live = partialmethod(set_state, True, note="born")
    die = partialmethod(set_state, False)
c = Cell()
print(c.live(), c.alive)
print(repr(c.die(note="x")), c.alive)

# --- functools_errors_are_typeerrors
from functools import partial, reduce, lru_cache, total_ordering
def attempt(f):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: partial())
attempt(lambda: partial(3))
attempt(lambda: reduce(max, []))
attempt(lambda: lru_cache("a"))
attempt(lambda: total_ordering(type("N", (), {})))
attempt(lambda: lru_cache(None)(lambda x: x)([]))
