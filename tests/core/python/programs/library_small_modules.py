# SPDX-License-Identifier: GPL-3.0-or-later
# difflib, fractions, ast.literal_eval and other small modules.

# --- difflib_close_matches
from difflib import get_close_matches
names = ["appel", "ape", "apple", "peach", "puppy", "resnet18", "resnet34", "resnet50", "resnext50_32x4d", "vit_b_16", "vgg16", "wide_resnet50_2"]
for word in ("appel", "resnet", "resnet51", "vit_b16", "zzz", "", "peech"):
    print(word, get_close_matches(word, names), get_close_matches(word, names, n=1), get_close_matches(word, names, n=5, cutoff=0.3))
for bad in (lambda: get_close_matches("a", [], 0), lambda: get_close_matches("a", [], cutoff=2)):
    try:
        bad()
    except ValueError as error:
        print(error)

# --- difflib_sequence_matcher
from difflib import SequenceMatcher
for a, b in (("abxcd", "abcd"), ("qabxcd", "abycdf"), ("", ""), ("a", ""), (" abcd", "abcd abcd"), ([1, 2, 3], [2, 3, 4]), ("private Thread currentThread;", "private volatile Thread currentThread;"), ("x" * 250 + "ab", "x" * 240 + "abc")):
    m = SequenceMatcher(None, a, b)
    print(m.ratio(), m.quick_ratio(), m.real_quick_ratio(), m.find_longest_match(), m.get_matching_blocks(), m.get_opcodes())
m = SequenceMatcher(lambda c: c == " ", " abcd", "abcd abcd")
print(m.find_longest_match(0, 5, 0, 9), m.ratio(), SequenceMatcher(a="abc", b="abd", autojunk=False).ratio())

# --- fractions_made
from fractions import Fraction as F
for args in ((), (3,), (6, 4), (-6, 4), (6, -4), ("3/4",), (" -7/21 ",), ("1.25",), ("-.5e-2",), ("1e3",), ("+3.",), (0.5,), (0.1,), (F(1, 2), F(3, 4)), ("1_000/3",), (True,), (F(2, 3),), ("2E2",)):
    print(repr(F(*args)), F(*args))
for bad in (lambda: F(1, 0), lambda: F("a"), lambda: F("1/0"), lambda: F(None), lambda: F("1/-2"), lambda: F(1.0, 2), lambda: F(""), lambda: F("1 / 2"), lambda: F("1__0"), lambda: F("."), lambda: F(float("nan")), lambda: F(float("inf")), lambda: F.from_float("a"), lambda: F("e5")):
    try:
        print(bad())
    except (ValueError, TypeError, ZeroDivisionError, OverflowError) as error:
        print(type(error).__name__, error)

# --- fractions_arithmetic
from fractions import Fraction as F
import math, operator
a, b = F(3, 4), F(-5, 6)
for op in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    f = getattr(operator, op)
    print(op, [repr(f(x, y)) for x, y in ((a, b), (b, a), (a, 2), (2, a), (a, 0.5), (0.5, a), (b, 3))])
print(a ** 2, a ** -2, b ** 3, a ** 0.5, 2 ** F(3), 2.0 ** a, a ** F(1, 2), F(2) ** F(2), divmod(F(7, 2), F(2, 3)), divmod(7, F(2, 3)), -a, +a, abs(b), bool(F(0)), a + 1j, F(4) ** F(1, 2), 4 ** F(1, 2))
print(int(F(-7, 2)), float(a), round(F(5, 2)), round(F(7, 2)), round(F(-5, 2)), round(F(22, 7), 2), round(F(1234), -2), math.floor(F(-7, 2)), math.ceil(F(-7, 2)), math.trunc(F(-7, 2)), complex(a))
print(a.numerator, a.denominator, a.as_integer_ratio(), F(355, 113).limit_denominator(10), F(3.141592653589793).limit_denominator(1000), F(1, 3).limit_denominator(5), sum([F(1, 3)] * 3), f"{a}", a.real, a.imag, a.conjugate())
for bad in (lambda: a / 0, lambda: a + "x", lambda: a // F(0), lambda: F(0) ** -1, lambda: a.limit_denominator(0), lambda: a < "x"):
    try:
        print(bad())
    except (TypeError, ZeroDivisionError, ValueError) as error:
        print(type(error).__name__, error)

# --- fractions_compared
from fractions import Fraction as F
from numbers import Rational, Number
print(F(1, 2) == 0.5, F(1, 2) == F(2, 4), F(2) == 2, F(1, 3) == 1 / 3, F(1, 2) < 1, 0.4 < F(1, 2), F(1, 2) >= F(1, 3), F(1, 2) != "x", F(1, 2) < float("inf"), F(1, 2) == float("nan"), F(1) == 1 + 0j)
print(hash(F(2)) == hash(2), hash(F(1, 2)) == hash(0.5), hash(F(-7, 3)), hash(F(1, 3)), {F(1, 2): "a"}[0.5], sorted([F(1, 2), 0.3, F(1, 3), 1]), max(F(1, 2), F(2, 3)), isinstance(F(1), Rational), isinstance(F(1), Number))
import copy
print(copy.copy(F(1, 2)), copy.deepcopy([F(1, 2)]))
class Own(F):
    pass
print(repr(Own(1, 2)), type(Own(1, 2) + 1).__name__)

# --- ast_literal_eval
from ast import literal_eval
for text in ("1", " -2.5e3", "+3", "0x1F", "1_000", "'a\\n\\x41\\u00e9'", '"b" \'c\'', "b'ab\\xff'", "r'\\n'", "None", "True", "()", "(1,)", "(1, 2)", "1, 2", "[1, [2, 'x'], ]", "{}", "{'a': 1, 'b': (2, None),}", "{1, 2}", "set()", "1+2j", "-1-2.5j", "3j", "...", "[\n1,\n2]", "'''x\ny'''", "(1)", "{'k': {'n': [True, False]}}", "0", "1.", ".5", "'\\101\\0'", "u'x'", "[] # c", "'it\\'s'", "1e-3", "0b101", "(\n'a'\n'b')"):
    print(text, repr(literal_eval(text)))
for text in ("", "a", "f(1)", "1 + 2", "[1", "{1: }", "'abc", "1 2", "lambda: 0", "-'a'", "x.y", "[a]", "__import__('os')", "(", ")", "--1", "'a' + 'b'"):
    try:
        print(literal_eval(text))
    except (ValueError, SyntaxError) as error:
        print(text, type(error).__name__)
import ast

# --- threading_of_one_thread
import threading
lock = threading.Lock()
with lock:
    print(lock.locked(), lock.acquire(blocking=False))
print(lock.locked(), lock.acquire(), lock.release())
r = threading.RLock()
with r, r:
    print("twice")
e = threading.Event()
print(e.is_set(), e.set(), e.is_set(), e.wait(0), e.clear(), e.is_set())
mine = threading.local()
mine.x = 3
class Own(threading.local):
    y = 1
    def __init__(self, z=2):
        self.z = z
print(mine.x, Own().z, Own(5).z, threading.current_thread() is threading.main_thread(), threading.current_thread().name, threading.active_count())
with threading.Condition() as c:
    print("in")
s = threading.Semaphore(2)
print(s.acquire(), s.acquire(), s.acquire(blocking=False), s.release())
for bad in (lambda: lock.release(), lambda: threading.BoundedSemaphore().release()):
    try:
        bad()
    except (RuntimeError, ValueError) as error:
        print(type(error).__name__, error)
class Worker(threading.Thread):
    def run(self):
        print("run", self.name)
w = Worker(name="w", daemon=True)
print(w.daemon, w.name, w.is_alive(), w.run())

# --- contextvars_of_one_context
import contextvars
v = contextvars.ContextVar("v", default=1)
t = v.set(2)
print(v.get(), v.name, v.reset(t), v.get(), contextvars.copy_context().run(lambda: v.get()))
u = contextvars.ContextVar("u")
try:
    u.get()
except LookupError:
    print("none", u.get(5))

# --- shlex_splits_and_quotes
import shlex
for text in ("a b  c", "'a b' c", '"a \\"b\\" \\n" x', "a\\ b", "''", "a''b", "x='1 2' y", "", "a # b", "tab\tnew\nline", '"a$b"', "--flag=\"v w\""):
    print(shlex.split(text), shlex.split(text, comments=True), shlex.quote(text), shlex.join(["a", text]))
for text in ("'a", '"a', "a\\"):
    try:
        print(shlex.split(text))
    except ValueError as error:
        print(error)

# --- linecache_knows_what_is_put_into_it
import linecache
entry = (4, None, ["a = 1\n", "b = 2\n"], "<made 1>")
print(linecache.cache.setdefault("<made 1>", entry) == entry, linecache.cache.setdefault("<made 1>", None) is entry)
print(repr(linecache.getline("<made 1>", 2)), repr(linecache.getline("<made 1>", 3)), repr(linecache.getline("<none>", 1)))
print(linecache.getlines("<made 1>"))
linecache.clearcache()
print(linecache.cache.get("<made 1>"))
