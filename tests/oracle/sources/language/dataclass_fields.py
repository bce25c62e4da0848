# SPDX-License-Identifier: GPL-3.0-or-later
# Dataclasses as arguments: a call of the class with the fields that fields() tells of.
# case: {"expr": "class_variables", "inputs": "torch.ones(2)"}
# case: {"expr": "init_variables", "inputs": "torch.ones(2)"}
# case: {"expr": "written_as_texts", "inputs": "torch.ones(2)"}
# case: {"expr": "keyword_only", "inputs": "torch.ones(2)"}
# case: {"expr": "not_in_init"}
# case: {"expr": "inherited", "inputs": "torch.ones(2)"}
# case: {"expr": "nested", "inputs": "torch.ones(2)"}
# case: {"expr": "slotted", "inputs": "torch.ones(2)"}
# case: {"expr": "made", "inputs": "torch.ones(2)"}
# case: {"expr": "replaced", "inputs": "torch.ones(2)"}

import dataclasses
from dataclasses import KW_ONLY, InitVar, dataclass, field, make_dataclass
from typing import ClassVar, List

import torch


@dataclass
class Shared:
    width: int = 4
    version: ClassVar[int] = 3
    names: ClassVar = ("a",)
    also: "ClassVar[List[int]]" = [1]


@dataclass
class Later:
    width: int = 4
    scale: InitVar[int] = 2

    def __post_init__(self, scale):
        self.scaled = self.width * scale


@dataclass
class Texts:
    value: "torch.Tensor"
    count: "ClassVar[int]" = 1
    scale: "InitVar[float]" = 1.0
    other: "dataclasses.InitVar[int]" = 0

    def __post_init__(self, scale, other):
        pass


@dataclass
class Keyed:
    a: int
    _: KW_ONLY
    b: int = 2
    c: ClassVar[int] = 5


@dataclass
class Made:
    a: int = 1
    t: int = field(init=False, default=0)
    u: list = field(init=False, default_factory=list)


@dataclass
class Base:
    w: int = 4
    kept: ClassVar[str] = "base"


@dataclass
class Derived(Base):
    z: torch.Tensor = None
    w: ClassVar[int] = 9


@dataclass
class Further(Base):
    z: int = 1


@dataclass(frozen=True)
class Pair:
    left: Further
    right: torch.Tensor
    sizes: ClassVar[tuple] = (1, 2)


@dataclass(slots=True)
class Slotted:
    value: torch.Tensor
    size: int = 2
    kind: ClassVar[str] = "slotted"


Dynamic = make_dataclass("Dynamic", [("x", int), ("y", ClassVar[int], 3), ("z", int, field(default=2))])
Dynamic.__module__ = __name__


def class_variables(x):
    return x, Shared(1), Shared()


def init_variables(x):
    return x, Later(2)


def written_as_texts(x):
    return Texts(x + 1)


def keyword_only(x):
    return x, Keyed(1, b=3)


def not_in_init(x):
    return x, Made(3)


def inherited(x):
    return x, Derived(z=x), Further(w=2)


def nested(x):
    return {"pair": Pair(Further(z=3), x * 2)}


def slotted(x):
    return [Slotted(x), (Slotted(x + 1, 3),)]


def made(x):
    return x, Dynamic(1)


def replaced(x):
    return x, dataclasses.replace(Further(1, 2), w=5)
