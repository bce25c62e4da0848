# SPDX-License-Identifier: GPL-3.0-or-later
# Methods of classes that are recorded whole, by torch.fx's list of them.
# case: {"expr": "Net()", "inputs": "torch.randn(3, 3)", "tracer_class": "WrapsHelper"}
# case: {"expr": "Net()", "inputs": "torch.randn(3, 3)", "tracer_class": "WrapsItems"}
# case: {"expr": "Net()", "inputs": "torch.randn(3, 3)"}
# case: {"expr": "scales", "inputs": "torch.randn(3, 3)", "tracer_class": "WrapsScale", "fails": "run_error"}
import torch
import torch.fx._symbolic_trace as tracing
from torch import fx, nn


class Scale:
    def __init__(self, by):
        self.by = by

    def apply(self, x):
        return x * self.by

    def __call__(self, x):
        return self.apply(x) + 1

    def __fx_create_arg__(self, tracer):
        return self.by


class Block(nn.Module):
    def helper(self, x, by=2):
        return torch.sin(x) * by

    def forward(self, x):
        return self.helper(x, by=3) - 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.weight = nn.Parameter(torch.ones(3, 3))
        self.shift = torch.ones(3)

    def forward(self, x):
        return self.weight[0] + x[1] + self.block(x) + torch.ones(3, 3)[x[0].to(torch.long) % 2].sum()


def scales(x):
    return Scale(2.0)(x) + Scale(3.0).apply(x)


class Wraps(fx.Tracer):
    def trace(self, root, concrete_args=None):
        tracing._wrapped_methods_to_patch.append(self.method)
        try:
            return super().trace(root, concrete_args)
        finally:
            tracing._wrapped_methods_to_patch.pop()


class WrapsHelper(Wraps):
    method = (Block, "helper")


class WrapsItems(Wraps):
    method = (torch.Tensor, "__getitem__")


class WrapsScale(Wraps):
    method = (Scale, "__call__")
