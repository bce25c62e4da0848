# SPDX-License-Identifier: GPL-3.0-or-later
# Functions for several frameworks, which find the one of a tensor among the subclasses of a class and in sys.modules.
# case: {"expr": "forward", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "Net()", "inputs": "torch.ones(2, 3)", "leaf": ["Turn"]}
# case: {"expr": "told", "inputs": "torch.ones(2)"}
# case: {"expr": "unknown", "fails": "error"}

import sys

import torch
from torch import nn
from torch.fx import wrap

_loaded = {}


class Backend:
    name = None

    def is_of(self, tensor):
        raise NotImplementedError()

    def turn(self, x, axes):
        raise NotImplementedError()


class Missing(Backend):
    name = "paddlepaddle_that_nobody_has"

    def __init__(self):
        raise AssertionError("is not imported")


class Torch(Backend):
    name = "torch"

    def __init__(self):
        import torch

        self.torch = torch

    def is_of(self, tensor):
        return isinstance(tensor, self.torch.Tensor)

    def turn(self, x, axes):
        return x.permute(axes)


class Scaled(Torch):
    name = "torch.scaled"


def subclasses_of(cls):
    found, waiting = [], cls.__subclasses__()
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].__subclasses__()
    return found


def backend_of(tensor):
    for cls in subclasses_of(Backend):
        if cls.name in sys.modules and cls.name not in _loaded:
            _loaded[cls.name] = cls()
    for backend in _loaded.values():
        if backend.is_of(tensor):
            return backend
    raise RuntimeError(f"Tensor type unknown {type(tensor)}")


@wrap
def turned(x, pattern):
    left, right = (side.split() for side in pattern.split("->"))
    return backend_of(x).turn(x, [left.index(axis) for axis in right])


def forward(x):
    return turned(x + 1, "a b -> b a") * 2


class Turn(nn.Module):
    def __init__(self, pattern):
        super().__init__()
        self.pattern = pattern

    def forward(self, x):
        return turned(x, self.pattern)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 4), Turn("a b -> b a"), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


def told(x):
    return (x, [cls.__name__ for cls in subclasses_of(Backend)], "torch" in sys.modules, "sys" in sys.modules,
            sys.modules["torch"] is torch, backend_of(torch.ones(2)).name)


def unknown(x):
    return backend_of(x)
