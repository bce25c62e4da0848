# SPDX-License-Identifier: GPL-3.0-or-later
# contextlib, warnings, string, types, inspect, heapq, bisect and other small modules; __future__ and imports.

# --- contextmanager_runs_both_halves
from contextlib import contextmanager
@contextmanager
def tag(name):
    print("<" + name)
    try:
        yield name.upper()
    finally:
        print(name + ">")
with tag("a") as x, tag("b") as y:
    print(x, y)
try:
    with tag("c"):
        raise ValueError("inside")
except ValueError as e:
    print("caught", e)

# --- contextmanager_may_swallow_or_replace
from contextlib import contextmanager
@contextmanager
def quiet():
    try:
        yield
    except KeyError as e:
        print("swallowed", e)
@contextmanager
def change():
    try:
        yield
    except ValueError:
        raise TypeError("changed")
with quiet():
    raise KeyError("k")
print("after")
try:
    with change():
        raise ValueError
except TypeError as e:
    print(e, type(e.__context__).__name__)

# --- contextmanager_must_yield_once
from contextlib import contextmanager
@contextmanager
def none():
    return
    yield
@contextmanager
def twice():
    yield 1
    yield 2
for f in (none, twice):
    try:
        with f():
            print("in")
    except RuntimeError as e:
        print(e)

# --- contextmanager_as_decorator
from contextlib import contextmanager
@contextmanager
def loud(word):
    print("begin", word)
    yield
    print("end", word)
@loud("w")
def f(x):
    print("f", x)
    return x
print(f(1), f(2), f.__name__)

# --- nullcontext_suppress_and_closing
from contextlib import nullcontext, suppress, closing
with nullcontext(5) as v:
    print(v)
with suppress(ZeroDivisionError, KeyError):
    1 / 0
    print("never")
class C:
    def close(self): print("closed")
with closing(C()) as c:
    print(type(c).__name__)
try:
    with suppress(KeyError):
        int("x")
except ValueError as e:
    print(e)

# --- exitstack_unwinds_in_reverse
from contextlib import ExitStack, contextmanager
@contextmanager
def part(n):
    print("in", n)
    yield n
    print("out", n)
with ExitStack() as stack:
    values = [stack.enter_context(part(i)) for i in range(3)]
    stack.callback(print, "callback", end="!\n")
    print(values)
with ExitStack() as stack:
    stack.push(lambda t, v, tb: print("saw", t.__name__, v) or True)
    raise ValueError("x")
print("done")

# --- warnings_can_be_recorded_or_raised
import warnings
with warnings.catch_warnings(record=True) as log:
    warnings.simplefilter("always")
    warnings.warn("old", DeprecationWarning)
    warnings.warn("plain")
    warnings.warn(FutureWarning("obj"))
print([(w.category.__name__, str(w.message)) for w in log])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("boom", RuntimeWarning)
    except RuntimeWarning as e:
        print("raised", e)
with warnings.catch_warnings(record=True) as log:
    warnings.filterwarnings("ignore", category=UserWarning)
    warnings.warn("silent")
print(len(log))

# --- warnings_category_must_be_a_warning
import warnings
try:
    warnings.warn("x", int)
except TypeError as e:
    print(e)
class Mine(UserWarning): pass
with warnings.catch_warnings(record=True) as log:
    warnings.simplefilter("always")
    warnings.warn("m", Mine, stacklevel=2)
print(log[0].category.__name__, issubclass(Mine, Warning))

# --- string_constants
import string
print(string.ascii_lowercase, string.digits, string.hexdigits, len(string.punctuation), string.ascii_letters[25:27])
print(repr(string.whitespace), string.capwords("hello big world"), string.punctuation)

# --- types_names_match_their_values
import types
def f(): yield
class A:
    def m(self): pass
print(isinstance(f, types.FunctionType), isinstance(A().m, types.MethodType), isinstance(f(), types.GeneratorType))
print(isinstance(types, types.ModuleType), isinstance(len, types.BuiltinFunctionType), type(None) is types.NoneType)
print(isinstance(lambda: 0, types.LambdaType), isinstance(A, type), types.FunctionType.__name__)

# --- simplenamespace_has_open_attributes
from types import SimpleNamespace
n = SimpleNamespace(a=1, b="x")
n.c = [2]
del n.a
print(n, n.b, n == SimpleNamespace(b="x", c=[2]), vars(n), SimpleNamespace())
print(SimpleNamespace(**{"k": SimpleNamespace(v=1)}).k.v)

# --- methodtype_binds_a_function
from types import MethodType
class A:
    n = 5
a = A()
a.get = MethodType(lambda self, k: self.n * k, a)
print(a.get(2), a.get.__self__ is a, "get" in vars(a))

# --- inspect_signature_of_functions
import inspect
def f(a, b: int = 2, /, c=3, *args, d, e=5, **kw) -> bool: pass
s = inspect.signature(f)
print(s, list(s.parameters), s.parameters["b"].default, s.parameters["a"].default is inspect.Parameter.empty)
print([str(p.kind) for p in s.parameters.values()], s.return_annotation)
class A:
    def __init__(self, x, y=1): pass
    def m(self, q, *, r=None): pass
print(inspect.signature(A), inspect.signature(A.m), inspect.signature(A(1).m), inspect.signature(lambda *a: a))
print("q" in inspect.signature(A.m).parameters, len(inspect.signature(f).parameters))

# --- inspect_signature_binds_arguments
import inspect
def f(a, b=2, *rest, k=0, **kw): pass
s = inspect.signature(f)
b = s.bind(1, 5, 6, k=7, z=8)
print(b.args, b.kwargs, dict(b.arguments))
b = s.bind(1)
b.apply_defaults()
print(dict(b.arguments))
try:
    s.bind()
except TypeError as e:
    print(e)
try:
    inspect.signature(lambda x: x).bind(1, 2)
except TypeError as e:
    print(e)

# --- inspect_asks_what_things_are
import inspect, math
class A:
    """Doc of A.

        indented
    """
    def m(self): pass
def g(): yield
print(inspect.isclass(A), inspect.isclass(A()), inspect.isfunction(A.m), inspect.ismethod(A().m), inspect.isfunction(len))
print(inspect.ismodule(math), inspect.isgeneratorfunction(g), inspect.isgenerator(g()), inspect.isbuiltin(len))
print(repr(inspect.getdoc(A)), [c.__name__ for c in inspect.getmro(A)])
print(inspect.getfullargspec(lambda a, b=1, *c, d, **e: 0).args)

# --- queues_in_one_thread
import queue
q = queue.Queue(2)
q.put(1)
q.put_nowait(2)
print(q.full(), q.qsize(), q.get(), q.get_nowait(), q.empty(), q.unfinished_tasks)
for fault in (lambda: q.get_nowait(), lambda: q.get(timeout=0), lambda: [q.put(i, False) for i in range(3)]):
    try:
        fault()
    except (queue.Empty, queue.Full) as e:
        print(type(e).__name__, e)
for i in range(4):
    q.task_done()
try:
    q.task_done()
except ValueError as e:
    print(e)
q.join()
last, least = queue.LifoQueue(), queue.PriorityQueue()
for i in [3, 1, 2]:
    last.put(i)
    least.put((i, str(i)))
print([last.get() for _ in range(3)], [least.get() for _ in range(3)])
simple = queue.SimpleQueue()
simple.put("a")
print(simple.get(), simple.empty())

# --- heapq_keeps_the_least_first
import heapq
h = []
for x in [5, 1, 4, 2, 3, 9, 0]:
    heapq.heappush(h, x)
print(h)
print([heapq.heappop(h) for _ in range(3)], h)
l = [9, 8, 7, 6, 5, 4, 3, 2, 1]
heapq.heapify(l)
print(l, heapq.heapreplace(l, 10), heapq.heappushpop(l, 0), l)
print(heapq.nlargest(2, l), heapq.nsmallest(3, "hello"), list(heapq.merge([1, 4], [2, 3], [0])))
print(heapq.nlargest(1, [(1, "a"), (1, "b")], key=lambda p: p[0]))

# --- bisect_finds_the_place
from bisect import bisect, bisect_left, bisect_right, insort
l = [1, 3, 3, 5]
print(bisect_left(l, 3), bisect_right(l, 3), bisect(l, 9), bisect_left(l, 0))
insort(l, 4)
print(l, bisect_left(["a", "bb", "ccc"], 2, key=len))

# --- textwrap_dedents
from textwrap import dedent, indent
print(repr(dedent("""
    def f():
        return 1

    x
""")))
print(repr(indent("a\n\nb", "> ")), repr(dedent("no\n  margin")))

# --- statistics_of_small_data
import statistics as st
print(st.mean([1, 2, 3, 4]), st.mean([1, 2, 3]), st.median([3, 1, 2]), st.median([1, 2, 3, 4]), st.mode("aab"))
print(st.mean([0.5, 1.5]), st.pstdev([1, 1, 1]), st.variance([1, 2, 3, 4]), st.stdev([2.0, 4.0]))

# --- future_imports_are_accepted
from __future__ import annotations
from __future__ import division, print_function
def f(x: Undefined, y: int = 1) -> AlsoUndefined:
    return x
print(f(1), f.__annotations__)
class A:
    z: Nowhere = 5
print(A.z, A.__annotations__)

# --- imports_bind_names_in_several_ways
import math
import math as m
from math import sqrt, pi as PI
from collections import OrderedDict as OD
import collections.abc
import os.path as osp
print(math.floor(2.7), m is math, sqrt(9), round(PI, 3), OD(a=1), collections.abc.Sized.__name__, collections.deque([1]))
print(osp.join("a", "b.py"), osp.basename("/x/y.txt"), osp.splitext("m.pt"), osp.dirname("/a/b"))

# --- imports_inside_functions_are_local
def f():
    import math
    from functools import reduce
    return reduce(lambda a, b: a + b, [math.ceil(0.5), 2])
print(f())
try:
    math
except NameError as e:
    print(e)

# --- imports_that_fail_can_be_caught
try:
    import flash_attn_of_nobody
    have = True
except ImportError as e:
    have = False
    print(type(e).__name__, e, e.name)
try:
    from math import no_such_thing
except ImportError as e:
    print(type(e).__name__, str(e).split(" (")[0])
print(have)

# --- logging_says_nothing
import logging
logger = logging.getLogger(__name__)
logger.debug("x %s", 1)
logging.getLogger("a.b").addHandler(logging.NullHandler())
print(logger.name, logging.getLogger("a.b").name, logging.INFO, logger is logging.getLogger(__name__))

# --- sys_constants
import sys
print(sys.version_info >= (3, 8), sys.version_info[:2], sys.version_info.major, sys.maxsize, sys.float_info.epsilon, sys.byteorder)

# --- pprint_of_short_values
from pprint import pprint, pformat
pprint({"b": 1, "a": [1, (2,)]})
pprint([1, 2], width=40)
print(pformat("text"), pformat({1: {"z": 0, "y": 1}}))

# --- dunder_name_and_doc_of_the_program
"""Doc of the program."""
print(__name__, __doc__)
if __name__ == "__main__":
    print("main")

# --- keyword_knows_reserved_words
import keyword
print(keyword.iskeyword("for"), keyword.iskeyword("match"), keyword.iskeyword("None"), len(keyword.kwlist))

# --- weak_references_hold
import types
import weakref
class Node: pass
n = Node()
r = weakref.ref(n)
n.v = 5
print(r() is n, weakref.proxy(n).v)
d = weakref.WeakValueDictionary()
d["a"] = n
print(d["a"] is n, len(d), len(weakref.WeakSet([n])))
m = types.MappingProxyType({"a": 1})
print(m, repr(m), type(m).__name__, m["a"])

# --- starred_value_beside_others
def f(*args, **kwargs): return args
for call in (lambda: f(*3), lambda: f(1, *3), lambda: f(*3, a=1), lambda: f(*[1], *3)):
    try:
        print(call())
    except TypeError as e:
        print(e)

# --- imports_that_fail_are_handled
try:
    import no_such_module_here
except ImportError as error:
    print(type(error).__name__, error)
try:
    import no_such_package.sub
except ModuleNotFoundError as error:
    print(error)
try:
    from no_such_module_here import x
except Exception as error:
    print(error)
