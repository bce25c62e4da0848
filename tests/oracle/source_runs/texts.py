# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of which only the graph's text is compared: enums that are returned or passed on in containers, and methods of
# Tensor behind operators that a source calls by their names.
import enum

import torch


class Mode(enum.Enum):
    A = 1
    B = "two"
    C = (1, 2.5)


class Level(enum.IntEnum):
    LOW = 3


class Word(str, enum.Enum):
    YES = "yes"


class Bits(enum.Flag):
    READ = 1
    WRITE = 2


class Told(enum.Enum):
    X = 5

    def __repr__(self):
        return "told!"

    def __str__(self):
        return "said!"


@torch.fx.wrap
def wrapped(x, *args, **kwargs):
    return x


def enum_alone(x):
    return Mode.A


def enum_in_tuple(x):
    return x, Mode.A


def enum_in_list_and_dict(x):
    return [x, {"m": Mode.B, "n": [Mode.C, (Mode.A,)]}]


def enum_of_ints(x):
    return x, Level.LOW, [Level.LOW]


def enum_of_texts(x):
    return {"a": Word.YES}, Word.YES


def enum_flags(x):
    return x, Bits.READ, Bits.READ | Bits.WRITE


def enum_with_own_text(x):
    return [Told.X]


def enum_arguments(x):
    y = wrapped(x, Mode.A, [Mode.B, Level.LOW], mode={"k": Word.YES}, told=Told.X)
    return wrapped(y, (Told.X, Bits.WRITE)), {"x": slice(0, None)}


def enum_alone_with_own_text(x):
    return Told.X


def dunders(names, *more):
    def function(x):
        return [getattr(torch.Tensor, name)(x, *more) for name in names]

    return function


def reflected():
    return dunders(["__rsub__", "__rtruediv__", "__rdiv__", "__rpow__", "__rfloordiv__", "__rmod__", "__rmatmul__", "__rlshift__", "__rrshift__"], 2)


def python_methods():
    return dunders(["__pow__", "__floordiv__", "__contains__", "__array_wrap__", "__ipow__"], 2)


def others_first(x):
    t = torch.ones(2)
    return torch.Tensor.__rsub__(t, x), torch.Tensor.__rpow__(t, x), t.__rfloordiv__(x), 2 - x, 2 ** x, torch.Tensor.__rsub__(x, x)


def named_methods(x):
    return torch.Tensor.norm(x, 2), torch.Tensor.split(x, 1), torch.Tensor.unflatten(x, 0, (1, -1)), torch.Tensor.rsub(x, 1) if hasattr(torch.Tensor, "rsub") else x


TEXTS = [enum_alone, enum_in_tuple, enum_in_list_and_dict, enum_of_ints, enum_of_texts, enum_flags, enum_with_own_text, enum_arguments,
         enum_alone_with_own_text, reflected, python_methods, others_first, named_methods]
MADE = [reflected, python_methods]
PRINTED = {enum_in_tuple: "(tensor([1.]), <Mode.A: 1>)", enum_in_list_and_dict: "'n': [<Mode.C: "}
