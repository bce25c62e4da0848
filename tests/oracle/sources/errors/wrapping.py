# SPDX-License-Identifier: GPL-3.0-or-later
# Wrong uses of wrap, and roots that cannot be traced.
# case: {"expr": "inside", "fails": "error"}
# case: {"expr": "wrong_kind()", "fails": "error"}
# case: {"expr": "len", "fails": "error"}
# case: {"expr": "torch.relu", "fails": "error"}
# case: {"expr": "Callable()", "fails": "error"}
# case: {"expr": "functools.partial(two, 1)", "fails": "error"}
# case: {"expr": "two", "concrete": ["1"], "fails": "error"}
# case: {"expr": "two", "concrete": ["1", "2", "3"], "fails": "error"}
# case: {"expr": "nothing_here", "fails": "error"}
# case: {"expr": "Net()", "tracer": {"traced_func_name": "'encode'"}, "fails": "error"}
# case: {"expr": "Net().forward", "fails": "error"}
# case: {"expr": "two", "tracer": {"check_mutable_operations": "True"}}
# case: {"expr": "mutating", "tracer": {"check_mutable_operations": "True"}, "fails": "error"}
# case: {"expr": "3", "fails": "error"}
# case: {"expr": "Net", "fails": "error"}
# case: {"expr": "stars_only"}

import functools

import torch
import torch.fx
from torch import nn


def inside(x):
    torch.fx.wrap("helper")
    return x


def wrong_kind():
    return torch.fx.wrap(3)


class Callable:
    def __call__(self, x):
        return x


class Net(nn.Module):
    def forward(self, x):
        return x


def two(x, y):
    return x + y


def mutating(x):
    return torch.relu_(x)


def stars_only(*xs):
    return xs + 1
