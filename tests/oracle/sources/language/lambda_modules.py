# SPDX-License-Identifier: GPL-3.0-or-later
# Modules that hold functions, lists of functions, and functions by name.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 3, 4)"}

import torch
from torch import nn


class Lambda(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, *args):
        return self.fn(*args)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.flatten = Lambda(lambda x: x.view(x.size(0), -1))
        self.net = nn.Sequential(Lambda(torch.tanh), self.flatten, nn.Linear(12, 2), Lambda(nn.functional.relu))
        self.merge = Lambda(lambda a, b: torch.cat([a, b], dim=-1))
        self.ops = [torch.sin, torch.cos, nn.functional.softplus, "abs"]

    def forward(self, x):
        y = self.net(x)
        for op in self.ops:
            y = getattr(y, op)() if isinstance(op, str) else op(y)
        return self.merge(y, y * 2)
