# SPDX-License-Identifier: GPL-3.0-or-later
# Models whose names mean something else in the code of torch.fx or to its GraphModule, and enums of a model's own source.
import collections
import enum
import math

import torch
import torch.nn as nn

import names_enums


class Mode(enum.Enum):
    A = 1
    B = "b"


class Level(enum.IntEnum):
    LOW = 2


class Word(str, enum.Enum):
    YES = "yes"


class Bits(enum.Flag):
    READ = 1
    WRITE = 2


class Told(enum.Enum):
    X = 5

    def __repr__(self):
        return "told!"


Pair = collections.namedtuple("Pair", ["first", "second"])


class Holder:
    class Inner(enum.Enum):
        X = 3


@torch.fx.wrap
def among(x, modes, table=None):
    return x * len(modes) + (table or {}).get("k", Mode.A).value


@torch.fx.wrap
def valued(x, member):
    return x + len(str(member.value))


@torch.fx.wrap
def chosen(x, mode, level=Level.LOW):
    return x + int(level) if mode is Mode.A else x * int(level)


def nan(x, nan):
    return torch.where(nan > 0, float("nan"), x)


def inf(inf, x):
    return torch.clamp(x, max=float("inf")) + inf - torch.full_like(x, -math.inf).exp()


def device(x, device):
    return x.to(torch.device("cpu")) + device


def torch_and_more(torch, x):
    return nn.functional.relu(torch) + x


def unread(x, nan):
    return x + 1


def pytree(x, pytree, fx_pytree, NoneType):
    return x + pytree * fx_pytree - NoneType


def slice_of(x, slice):
    return x[1:] + slice[:2]


def length(len, x):
    return x * 2 + len


def getattr_of(getattr, x):
    return getattr + x


def default(x, nan=2.0, *, inf=float("inf")):
    return x * nan - inf


def self(self, x):
    return self + x


def method(x, add, relu):
    return (x + add).relu() - relu


def enums(x):
    return chosen(x, Mode.B), chosen(x, mode=Mode.A, level=Level.LOW)


def enum_in_list(x):
    return among(x, [Mode.A, Mode.B])


def enum_in_tuple_and_dict(x):
    return among(x, (Mode.A,), table={"k": Mode.A})


def enum_in_nested_dict(x):
    return among(x, [[{1: Level.LOW}]])


def enum_in_named_tuple(x):
    return among(x, Pair(Mode.A, 2))


def enum_beside_named_tuple(x):
    return among(x, [Pair(1, 2), (Mode.A, Mode.B)])


def named_tuple_in_dict(x):
    return among(x, {"k": Pair(1, 2)})


def enum_in_nested(x):
    return among(x, [(Mode.A, [Mode.B]), {"k": 1}], table=None)


def enum_of_texts(x):
    return valued(x, Word.YES)


def enum_flag(x):
    return valued(x, Bits.READ)


def enum_with_own_repr(x):
    return valued(x, Told.X)


def enum_twice(x):
    return chosen(chosen(x, Mode.A), mode=Mode.A)


def enum_of_second_file(x):
    return valued(x, names_enums.Shade.DARK) + valued(x, names_enums.Depth.DEEP)


def enum_of_nested_class(x):
    return valued(x, Holder.Inner.X)


def enum_flags(x):
    return valued(x, Bits.READ | Bits.WRITE)


class Named(nn.Module):
    def __init__(self, kind, names):
        super().__init__()
        self.inner = nn.Module()
        for name in names:
            if kind == "module":
                self.inner.add_module(name, nn.Tanh())
            else:
                self.inner.register_buffer(name, torch.ones(3) * 2)
        self.names, self.kind = names, kind

    def forward(self, x):
        for name in self.names:
            member = getattr(self.inner, name)
            x = member(x) if self.kind == "module" else x + member
        return x


class Top(nn.Module):
    def __init__(self, name):
        super().__init__()
        setattr(self, name, nn.Tanh())
        self.name = name

    def forward(self, x):
        return getattr(self, self.name)(x)


class Attribute(nn.Module):
    def forward(self, x):
        return getattr(x, "class")


X, Y = torch.tensor([1.0, -2.0, 3.0]), torch.tensor([0.5, 2.0, -1.0])
# What torch.load has must compute what the function itself does.
LOADED = {"nan": (X, Y), "inf": (X, Y), "device": (X, Y), "torch_and_more": (X, Y), "unread": (X, Y), "pytree": (X, Y, Y, X), "slice_of": (X, Y),
          "length": (X, Y), "getattr_of": (X, Y), "default": (X,), "self": (X, Y), "method": (X, Y, Y), "enums": (X,),
          "Named('module', ['a', '0', 'a-b'])": (X,), "Named('buffer', ['w', 'größe', 'match', 'a b'])": (X,), "Top('print')": (X,), "Top('class_')": (X,),
          "enum_in_list": (X,), "enum_beside_named_tuple": (X,), "enum_in_named_tuple": (X,), "named_tuple_in_dict": (X,), "enum_in_nested": (X,),
          "enum_of_texts": (X,), "enum_flag": (X,), "enum_with_own_repr": (X,), "enum_twice": (X,), "enum_of_second_file": (X,)}
# What no file can hold is refused with its name.
UNLOADABLE = {"Named('module', ['class'])": "'class'", "Named('module', ['a', 'None'])": "'None'", "Named('buffer', ['lambda'])": "'lambda'",
              "Named('buffer', ['async'])": "'async'", "Named('module', ['\ufb01'])": "'\ufb01'", "Top('graph')": "'graph'", "Top('code')": "'code'",
              "Top('meta')": "'meta'", "Top('recompile')": "'recompile'", "Top('_tracer_cls')": "'_tracer_cls'", "Top('import')": "'import'",
              "Attribute()": "'class'", "enum_in_tuple_and_dict": "holds Mode.A in a dict", "enum_in_nested_dict": "in a dict or a named tuple",
              "enum_of_nested_class": "Inner", "enum_flags": "Bits"}
