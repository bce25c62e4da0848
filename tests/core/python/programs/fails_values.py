# SPDX-License-Identifier: GPL-3.0-or-later
# Values that are wrong, and errors that programs raise.

# --- fails_value_int_text
int("abc")

# --- fails_value_int_float_text
int("1.5")

# --- fails_value_int_empty
int("")

# --- fails_value_int_base
int("9", 8)

# --- fails_value_float_text
float("1,5")

# --- fails_value_unpack_too_many
a, b = 1, 2, 3

# --- fails_value_unpack_too_few
a, b, c = [1, 2]

# --- fails_value_unpack_star
a, b, *c = [1]

# --- fails_value_unpack_in_loop
for a, b in [(1, 2), (3,)]: print(a, b)

# --- fails_value_unpack_not_iterable
a, b = 5

# --- fails_value_list_remove
[1].remove(2)

# --- fails_value_list_index
["a"].index("b")

# --- fails_value_str_index
"abc".index("z")

# --- fails_value_empty_separator
"a".split("")

# --- fails_value_max_empty
max([])

# --- fails_value_range_step
range(1, 5, 0)

# --- fails_value_slice_step
[1][::0]

# --- fails_value_extended_slice_size
l = [1, 2, 3, 4]
l[::2] = [1, 2, 3]

# --- fails_value_math_domain
import math
math.sqrt(-1)

# --- fails_value_chr
chr(-5)

# --- fails_value_negative_shift
1 << -1

# --- fails_value_format_code
format("a", "d")

# --- fails_value_format_spec
f"{3.5:d}"

# --- fails_value_format_index
"{} {}".format(1)

# --- fails_value_format_key
"{x}".format(y=1)

# --- fails_value_percent_few
"%d %d" % 1

# --- fails_value_percent_many
"%d" % (1, 2)

# --- fails_value_percent_type
"%d" % "x"

# --- fails_value_zip_strict
list(zip([1, 2], [1], strict=True))

# --- fails_value_enum_lookup
from enum import Enum
class Color(Enum):
    RED = 1
Color(2)

# --- fails_value_enum_name
from enum import Enum
class Color(Enum):
    RED = 1
Color["BLUE"]

# --- fails_value_dict_update_sequence
dict(["abc"])

# --- fails_value_bytes_range
bytes([256])

# --- fails_value_to_bytes
(300).to_bytes(1, "big")

# --- fails_value_islice
from itertools import islice
list(islice([1], -1))

# --- fails_zero_division_int
1 / 0

# --- fails_zero_division_floor
1 // 0

# --- fails_zero_division_mod
5 % 0

# --- fails_zero_division_float
1.0 / 0.0

# --- fails_zero_division_power
0 ** -1

# --- fails_overflow_float
2.0 ** 5000

# --- fails_overflow_int_to_float
float(10 ** 400)

# --- fails_overflow_exp
import math
math.exp(10000)

# --- fails_assertion_plain
assert 1 == 2

# --- fails_assertion_message
n, heads = 10, 3
assert n % heads == 0, f"{n} must be divisible by {heads}"

# --- fails_stop_iteration
next(iter([]))

# --- fails_stop_iteration_of_generator
def g():
    yield 1
    return 7
it = g()
next(it)
next(it)

# --- fails_stop_iteration_inside_generator
def g():
    next(iter([]))
    yield 1
list(g())

# --- fails_recursion
def f(n): return f(n + 1)
f(0)

# --- fails_not_implemented
class Module:
    def forward(self, x):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')
Module().forward(1)

# --- fails_custom_exception
class ShapeError(ValueError):
    def __init__(self, want, got):
        super().__init__(f"want {want}, got {got}")
raise ShapeError((1, 2), (2, 1))

# --- fails_exception_class_only
raise KeyError

# --- fails_exception_two_arguments
raise ValueError("bad", 3)

# --- fails_exception_reraised_from
try:
    {}["k"]
except KeyError as e:
    raise RuntimeError("lookup failed") from e

# --- fails_exception_in_handler
try:
    1 / 0
except ZeroDivisionError:
    [].pop()

# --- fails_exception_through_finally
try:
    raise ValueError("first")
finally:
    print("cleanup")

# --- fails_exception_in_finally_wins
try:
    raise ValueError("first")
finally:
    raise TypeError("second")

# --- fails_exception_not_matched
try:
    raise KeyError("k")
except ValueError:
    print("never")

# --- fails_no_active_exception
raise

# --- fails_exception_from_exit
class C:
    def __enter__(self): return self
    def __exit__(self, *a): raise OSError("exit failed")
with C():
    print("body")

# --- fails_exception_from_property
class A:
    @property
    def shape(self): raise ValueError("no shape yet")
print("x")
A().shape

# --- fails_exception_in_comprehension
print([10 // x for x in (5, 2, 0)])

# --- fails_exception_in_default_argument
def f(x=[][0]): pass

# --- fails_exception_in_class_body
class A:
    print("body")
    x = {}["missing"]

# --- fails_exception_in_decorator
def deco(f): raise TypeError("cannot decorate " + f.__name__)
@deco
def g(): pass

# --- fails_dictionary_changed_size
d = {"a": 1}
for k in d: d[k + "x"] = 1

# --- fails_set_changed_size
s = {1}
for x in s: s.add(x + 1)

# --- fails_deque_mutated
from collections import deque
d = deque([1, 2])
for x in d: d.append(x)

# --- fails_frozen_dataclass
from dataclasses import dataclass
@dataclass(frozen=True)
class C:
    x: int
C(1).x = 2

# --- fails_dataclass_mutable_default
from dataclasses import dataclass
@dataclass
class C:
    x: list = []

# --- fails_dataclass_field_order
from dataclasses import dataclass
@dataclass
class C:
    x: int = 1
    y: int

# --- fails_namedtuple_bad_name
from collections import namedtuple
namedtuple("P", "x def")

# --- fails_enum_extended
from enum import Enum
class A(Enum):
    X = 1
class B(A):
    Y = 2

# --- fails_enum_reassigned
from enum import Enum
class A(Enum):
    X = 1
A.X = 5

# --- fails_protocol_instance
from typing import Protocol
class P(Protocol):
    def f(self): ...
P()

# --- fails_typing_optional_of_two
from typing import Optional
Optional[int, str]

# --- fails_reduce_of_nothing
from functools import reduce
reduce(lambda a, b: a, [])

# --- fails_unicode_decode
b"\xff".decode("utf-8")

# --- fails_unicode_encode
"é".encode("ascii")

# --- fails_system_exit
raise SystemExit(2)

# --- fails_keyboard_interrupt
raise KeyboardInterrupt

# --- fails_generator_ignores_exit
def g():
    try: yield 1
    except GeneratorExit: yield 2
it = g()
next(it)
it.close()

# --- fails_generator_already_running
def g():
    yield next(it)
it = g()
next(it)

# --- fails_init_subclass_keyword
class A: pass
class B(A, flag=1): pass

# --- fails_match_value_error
def f(t):
    match t:
        case ("add", a, b): return a + b
        case _: raise ValueError(f"cannot evaluate {t!r}")
print(f(("add", 1, 2)))
f(("sub", 1, 2))
