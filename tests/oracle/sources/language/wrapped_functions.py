# SPDX-License-Identifier: GPL-3.0-or-later
# fx.wrap by name, as a decorator, of builtins and of functions from elsewhere.
# case: {"expr": "forward", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "Net()", "inputs": "torch.full((4,), 2.0)"}
# case: {"expr": "lists", "inputs": "[torch.ones(2), torch.ones(3)]"}
# case: {"expr": "Outer()", "inputs": "torch.full((4,), 2.0)", "inlines": true}
# case: {"expr": "Outer(copied=True)", "inputs": "torch.full((4,), 2.0)", "inlines": true}
# case: {"expr": "torch.fx.symbolic_trace(Outer())", "inputs": "torch.full((4,), 2.0)", "inlines": true}
# case: {"expr": "nn.Sequential(traced(), traced())", "inputs": "torch.full((4,), 2.0)", "inlines": true}
# case: {"expr": "calls_traced", "inputs": "torch.full((4,), 2.0)", "inlines": true}
# case: {"expr": "Named()", "inputs": "torch.full((4,), 2.0)", "inlines": true}

import copy
import math
from math import sqrt

import torch
import torch.fx
from torch import nn
from torch.fx import wrap

torch.fx.wrap("len")
torch.fx.wrap("sqrt")
wrap("helper")
wrap("max")


@torch.fx.wrap
def decorated(x, factor=2):
    if x.sum() > 0:
        return x * factor
    return x


def helper(x, names, *, table):
    for name in names:
        x = x + table[name]
    return x


def not_wrapped(x):
    return x * len(x)


def forward(x):
    n = len(x)
    y = x / sqrt(x.size(-1))
    z = decorated(y, factor=n)
    return helper(not_wrapped(z), ["a", "b"], table={"a": 1, "b": n}), len([1, 2]), sqrt(4)


class Net(nn.Module):
    def forward(self, x):
        k = math.floor(x.shape[0] * 0.5) + math.pi
        x = decorated(decorated(x), 3)
        return x[: len(x) // 2] * k, helper(x, (), table={}), max(x.shape[0], 2)


def lists(xs):
    return len(xs), max(1, 5), len("text")


class Plain(nn.Module):
    def forward(self, x):
        return decorated(x, 3) + helper(x, ["a"], table={"a": 1})


def traced():
    return torch.fx.symbolic_trace(Plain())


class Outer(nn.Module):
    def __init__(self, copied=False):
        super().__init__()
        self.inner = copy.deepcopy(traced()) if copied else traced()

    def forward(self, x):
        return self.inner(x) + decorated(x) * self.inner(x)


class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.fx.symbolic_trace(lambda y: helper(y, ["a"], table={"a": 2}))
        self.second = torch.fx.symbolic_trace(self.first)

    def forward(self, x):
        return self.second(self.first(x))


made = traced()


def calls_traced(x):
    return made.forward(x) - decorated(x)
