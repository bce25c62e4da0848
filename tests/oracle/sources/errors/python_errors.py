# SPDX-License-Identifier: GPL-3.0-or-later
# Python's own errors on the way, with Python's words.
# case: {"expr": "unknown_name", "fails": "error"}
# case: {"expr": "unbound_local", "fails": "error"}
# case: {"expr": "missing_attribute", "fails": "error"}
# case: {"expr": "not_callable", "fails": "error"}
# case: {"expr": "too_many", "fails": "error"}
# case: {"expr": "missing_key", "fails": "error"}
# case: {"expr": "out_of_range", "fails": "error"}
# case: {"expr": "zero", "fails": "error"}
# case: {"expr": "raised", "fails": "error"}
# case: {"expr": "raised_from", "fails": "error"}
# case: {"expr": "unpack_mismatch", "fails": "error"}
# case: {"expr": "wrong_types", "fails": "error"}
# case: {"expr": "unknown_function", "fails": "error"}
# case: {"expr": "unknown_functional", "fails": "error"}
# case: {"expr": "unexpected_keyword", "fails": "error"}
# case: {"expr": "failed_assert", "fails": "error"}
# case: {"expr": "undefined_in_file", "fails": "error"}
# case: {"expr": "recursive", "fails": "error"}
# case: {"expr": "bad_int", "fails": "error"}
# case: {"expr": "none_call", "fails": "error"}
# case: {"expr": "no_item", "fails": "error"}
# case: {"expr": "not_iterable", "fails": "error"}
# case: {"expr": "immutable", "fails": "error"}
# case: {"expr": "two_values", "fails": "error"}
# case: {"expr": "unhashable", "fails": "error"}
# case: {"expr": "missing_two", "fails": "error"}
# case: {"expr": "frozen", "fails": "error"}
# case: {"expr": "abstract", "fails": "error"}
# case: {"expr": "enum_value", "fails": "error"}

import abc
import dataclasses
import enum
import math

import torch
import torch.nn.functional as F


def helper(a, b=1, *, c):
    return a


def unknown_name(x):
    return x + undefined


def unbound_local(x):
    if False:
        y = x
    return y


def missing_attribute(x):
    return math.squareroot(4)


def not_callable(x):
    return (3)(x)


def too_many(x):
    return helper(x, 1, 2, 3, c=1)


def missing_key(x):
    return {"a": x}["b"]


def out_of_range(x):
    return [x][3]


def zero(x):
    return x * (1 // 0)


def raised(x):
    raise NotImplementedError(f"no {'such'} thing")


def raised_from(x):
    try:
        {}["key"]
    except KeyError as error:
        raise RuntimeError("while building", 3) from error


def unpack_mismatch(x):
    a, b = [x, x, x]
    return a


def wrong_types(x):
    return x + ("a" + 1)


def unknown_function(x):
    return torch.reluu(x)


def unknown_functional(x):
    return F.no_such(x)


def unexpected_keyword(x):
    return helper(x, c=1, d=2)


def failed_assert(x):
    assert 1 > 2, "one is not more"
    return x


def undefined_in_file(x):
    return later(x)


def recursive(x):
    return recursive(x)


def bad_int(x):
    return x * int("three")


def none_call(x):
    return None.forward(x)


def no_item(x):
    return None[0]


def not_iterable(x):
    for _ in 3:
        pass


def immutable(x):
    t = (x, 1)
    t[0] = 2
    return t


def two_values(x):
    return helper(x, a=x, c=1)


def unhashable(x):
    return {[1]: x}


def missing_two(x):
    return helper()


@dataclasses.dataclass(frozen=True)
class Frozen:
    n: int = 1


def frozen(x):
    f = Frozen()
    f.n = 2
    return x


class Abstract(abc.ABC):
    @abc.abstractmethod
    def go(self): ...


def abstract(x):
    return Abstract()


class Colour(enum.Enum):
    RED = 1


def enum_value(x):
    return Colour(7)
