# SPDX-License-Identifier: GPL-3.0-or-later
# Members of enums as arguments of functions that a graph calls.
import enum

import torch
from torch import nn


class Mode(enum.Enum):
    A = 1
    B = "b"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Parts(enum.Flag):
    ONE = 1
    TWO = 2


class Text(str, enum.Enum):
    FIRST = "first"


@torch.fx.wrap
def by_mode(x, mode):
    return x + 1 if mode is Mode.A else x - 1


@torch.fx.wrap
def by_modes(x, modes, *, table=None):
    return x * sum(mode is Mode.B for mode in modes) + (len(table) if table and table["k"] is Mode.A else 0)


@torch.fx.wrap
def by_keys(x, table):
    return x + table[Mode.B] * (Mode.A in table)


@torch.fx.wrap
def by_level(x, level):
    return x * level + (level is Level.HIGH)


@torch.fx.wrap
def by_parts(x, parts):
    return x + 10 * (Parts.TWO in parts) + (Parts.ONE in parts)


@torch.fx.wrap
def by_text(x, text):
    return x + len(text) + (text is Text.FIRST)


class Net(nn.Module):
    def __init__(self, step):
        super().__init__()
        self.step = step

    def forward(self, x):
        return self.step(x)


STEPS = {
    "alone": lambda x: (by_mode(x, Mode.A), by_mode(x, Mode.B)),
    "keyword": lambda x: by_mode(x, mode=Mode.A),
    "in_list": lambda x: by_modes(x, [Mode.A, Mode.B, Mode.B]),
    "in_tuple": lambda x: by_modes(x, (Mode.B,)),
    "in_dict": lambda x: by_modes(x, [Mode.B], table={"k": Mode.A, "l": [Mode.B]}),
    "as_key": lambda x: by_keys(x, {Mode.A: 1, Mode.B: 2}),
    "int_enum": lambda x: (by_level(x, Level.HIGH), by_level(x, Level.LOW), x + Level.HIGH, torch.sum(x, Level.LOW - 1)),
    "flag": lambda x: (by_parts(x, Parts.TWO), by_parts(x, Parts.ONE)),
    "text_enum": lambda x: by_text(x, Text.FIRST),
}


def chosen(name):
    return Net(STEPS[name])


CASES = []
for name in STEPS:
    CASES.append(lambda name=name: chosen(name))
    CASES[-1].__name__ = f"chosen({name!r})"


def inputs():
    return [torch.tensor([1.5, -2.0])]
