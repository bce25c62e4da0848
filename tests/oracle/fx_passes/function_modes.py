# SPDX-License-Identifier: GPL-3.0-or-later
# TorchFunctionMode: what a program does in the place of torch's functions, of methods of tensors and of operators on them.
# case: modes_tell Net() tell
# case: modes_replace Net() replace
# case: modes_nest Net() nest
# case: modes_trace Net() trace

import torch
import torch.fx
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode, _get_current_function_mode


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x):
        return torch.relu(self.linear(x)) + torch.ones(3) * x.sum()


INPUTS = (torch.ones(2, 3),)


class Log(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append((func.__name__, len(args), sorted(kwargs or {})))
        return func(*args, **(kwargs or {}))


class Smooth(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return torch.sigmoid(*args) if func is torch.relu else func(*args, **(kwargs or {}))


class Failing(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise ValueError(f'no {func.__name__} here')


def tell(gm):
    x = torch.ones(2, 3)
    with Log() as log:
        gm(x)
        torch.fx.Interpreter(gm).run(x)
        y = x + 1
        y = 2 * x - y / 3
        y[0] = x[1]
        y += 1
        y > 0
        -y
        y @ x.t()
        torch.add(x, 1, alpha=2)
        x.view(-1).mean(dim=0)
        F.gelu(x)
    print(log.names)
    x + 1
    print(len(log.names), _get_current_function_mode())


def replace(gm):
    x = torch.tensor([0.0])
    with Smooth():
        print(torch.relu(x).tolist(), gm(torch.zeros(1, 3)).shape)
    print(torch.relu(x).tolist())
    try:
        with Failing():
            torch.relu(x)
    except ValueError as error:
        print(error)
    print(torch.relu(x).tolist())


def nest(gm):
    x = torch.tensor([0.0])
    with Log() as outer, Smooth(), Log() as inner:
        y = torch.relu(x)
        print(_get_current_function_mode() is inner)
    print(outer.names, inner.names, y.tolist())
    with outer:
        with outer:
            torch.neg(x)
    print(outer.names)


def trace(gm):
    with Smooth():
        traced = torch.fx.symbolic_trace(Net())
    print(traced.graph)
