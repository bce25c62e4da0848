# SPDX-License-Identifier: GPL-3.0-or-later
# What torch.fx.Tracer takes as arguments and attributes: wrapped functions and modules, shapes of parameters, buffers.
# case: {"expr": "Net(3)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "Net(3)", "inputs": "torch.randn(2, 3)", "tracer": {"autowrap_functions": "(helper,)"}}
# case: {"expr": "Net(3)", "inputs": "torch.randn(2, 3)", "tracer": {"autowrap_functions": "(helper, wrapped_ops.mix)"}}
# case: {"expr": "Net(3)", "inputs": "torch.randn(2, 3)", "tracer": {"autowrap_modules": "(math, wrapped_ops)"}}
# case: {"expr": "Net(3)", "inputs": "torch.randn(2, 3)", "tracer": {"param_shapes_constant": "True"}}
# case: {"expr": "Net(3)", "inputs": "torch.randn(2, 3)", "tracer": {"proxy_buffer_attributes": "True"}}
# case: {"expr": "Net(3)", "inputs": "torch.randn(2, 3)", "tracer": {"proxy_buffer_attributes": "True", "autowrap_functions": "(helper,)"}}
# case: {"expr": "function", "inputs": "torch.randn(2, 3)", "tracer": {"autowrap_functions": "(helper, wrapped_ops.halve)"}}
# case: {"expr": "Shapes()", "inputs": "torch.randn(2, 3)", "tracer": {"param_shapes_constant": "True"}}
# case: {"expr": "Branches()", "tracer": {"param_shapes_constant": "True"}}
# case: {"expr": "Branches()", "fails": "error"}
# case: {"expr": "WrongSize()", "tracer": {"param_shapes_constant": "True"}, "fails": "error"}
import math

import torch
import wrapped_ops
from torch import nn
from wrapped_ops import halve as half, mix


def helper(x, scale=1.0):
    return torch.relu(x) * scale


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width, width))
        self.register_buffer("shift", torch.ones(width))
        self.register_buffer("unused", None)
        self.plain = torch.full((1,), 2.0)

    def forward(self, x):
        x = half(helper(x @ self.weight, scale=0.5))
        rows = self.weight.shape[0]
        return mix(x, self.shift) + rows + self.shift * self.plain + math.sqrt(self.weight.numel())


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width), Block(width)])
        self.blocks[1].shift = self.blocks[0].shift
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x):
        for block in self.blocks:
            x = helper(block(x)) + self.norm.running_mean
        return wrapped_ops.halve(x, by=4), wrapped_ops._hidden(x), self.blocks[1].shift.sum()


def function(x):
    return half(helper(x)) + mix(x, helper(x), weight=0.25) + wrapped_ops.halve(x)


class Shapes(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 3))
        self.again = self.w

    def forward(self, x):
        w = self.w
        text = f"{w} {w!r}"
        return x @ w.t(), w.shape, w.size(), w.dim(), w.ndim, w.numel(), w.nelement(), self.again.shape[0], text, w.dtype


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 3))

    def forward(self, x):
        if self.w.shape[0] > 3 and self.w.dim() == 2:
            return x.view(self.w.shape) + self.w
        return x


class WrongSize(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 3))

    def forward(self, x):
        return x * self.w.size(0)
