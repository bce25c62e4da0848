# SPDX-License-Identifier: GPL-3.0-or-later
# fx.wrap by name, as a decorator, of builtins and of functions from elsewhere.
# case: {"expr": "forward", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "Net()", "inputs": "torch.full((4,), 2.0)"}
# case: {"expr": "lists", "inputs": "[torch.ones(2), torch.ones(3)]"}

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
