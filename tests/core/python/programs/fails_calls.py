# SPDX-License-Identifier: GPL-3.0-or-later
# Calls that fail.

# --- fails_call_missing_one_argument
def forward(x, mask): return x
forward(1)

# --- fails_call_missing_three_arguments
def f(a, b, c): pass
f()

# --- fails_call_missing_keyword_only
def f(a, *, dim, keepdim): pass
f(1, dim=2)

# --- fails_call_unexpected_keyword
def conv(x, stride=1): return x
conv(1, strid=2)

# --- fails_call_multiple_values
def f(a, b=1): pass
f(1, a=2)

# --- fails_call_too_many_positional
def f(a, b=1): pass
f(1, 2, 3)

# --- fails_call_too_many_with_keyword_only_given
def f(a, *, k=1): pass
f(1, 2, k=3)

# --- fails_call_takes_none
def f(): pass
f(1)

# --- fails_call_positional_only_by_keyword
def f(a, b, /): pass
f(a=1, b=2)

# --- fails_call_method_without_self
class A:
    def m(): pass
A().m()

# --- fails_call_init_missing
class Net:
    def __init__(self, width, depth=2): pass
Net()

# --- fails_call_init_takes_nothing
class Net: pass
Net(3)

# --- fails_call_init_too_many
class Net:
    def __init__(self, a): pass
Net(1, 2)

# --- fails_call_init_returns_value
class A:
    def __init__(self): return 5
A()

# --- fails_call_int
x = 3
x(1)

# --- fails_call_none
class A:
    layer = None
A().layer(1)

# --- fails_call_list_of_modules
layers = [abs]
layers(3)

# --- fails_call_module
import math
math(3)

# --- fails_call_string
"relu"(1)

# --- fails_call_duplicate_keyword_in_mapping
def f(**k): pass
f(**{"a": 1}, **{"a": 2})

# --- fails_call_mapping_with_int_key
def f(**k): pass
f(**{1: 2})

# --- fails_call_star_of_int
def f(*a): pass
f(*5)

# --- fails_call_double_star_of_list
def f(**k): pass
f(**[1])

# --- fails_call_len_two_arguments
len([1], [2])

# --- fails_call_lambda_missing
(lambda x, y: x)(1)

# --- fails_call_classmethod_missing
class A:
    @classmethod
    def make(cls, n): return n
A.make()

# --- fails_call_partial_repeats
from functools import partial
def f(a, b): return a
partial(f, 1, 2)(3)

# --- fails_call_abs_of_str
abs("x")

# --- fails_call_nested_function_name
def outer():
    def inner(a): pass
    inner()
outer()

# --- fails_call_dataclass_missing
from dataclasses import dataclass
@dataclass
class Config:
    width: int
    depth: int
Config(1)

# --- fails_call_dataclass_unexpected
from dataclasses import dataclass
@dataclass
class Config:
    width: int = 1
Config(height=3)

# --- fails_call_namedtuple_missing
from collections import namedtuple
Point = namedtuple("Point", "x y")
Point(1)
