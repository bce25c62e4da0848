# SPDX-License-Identifier: GPL-3.0-or-later
# Wrong uses of wrap, and roots that cannot be traced.
# case: {"expr": "inside", "fails": "error"}
# case: {"expr": "wrong_kind()", "fails": "error"}
# case: {"expr": "len", "fails": "error", "ours": ": gives a builtin_function_or_method, not a torch.nn.Module or a function"}
# case: {"expr": "torch.relu", "fails": "error", "ours": ": gives a builtin_function_or_method, not a torch.nn.Module or a function"}
# case: {"expr": "Callable()", "fails": "error", "ours": ": gives a Callable, not a torch.nn.Module or a function"}
# case: {"expr": "functools.partial(two, 1)", "fails": "error", "ours": ": gives a partial, not a torch.nn.Module or a function"}
# case: {"expr": "two", "concrete": ["1"], "fails": "error"}
# case: {"expr": "two", "concrete": ["1", "2", "3"], "fails": "error"}
# case: {"expr": "nothing_here", "fails": "error"}
# case: {"expr": "Net()", "tracer": {"traced_func_name": "'encode'"}, "fails": "error"}
# case: {"expr": "Net().forward", "fails": "error", "ours": ": gives a method, not a torch.nn.Module or a function"}
# case: {"expr": "two", "tracer": {"check_mutable_operations": "True"}}
# case: {"expr": "mutating", "tracer": {"check_mutable_operations": "True"}, "fails": "error"}
# case: {"expr": "3", "fails": "error", "ours": ": gives a int, not a torch.nn.Module or a function"}
# case: {"expr": "Net", "fails": "error", "ours": ": is a class, not a model"}
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
