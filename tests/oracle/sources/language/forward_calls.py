# SPDX-License-Identifier: GPL-3.0-or-later
# Calling forward directly, other methods of submodules, functions that take modules.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 3)"}

import torch
from torch import nn


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.gain = nn.Parameter(torch.ones(3))

    def scaled(self, x):
        return self.fc(x) * self.gain

    def forward(self, x, *extra, **options):
        for e in extra:
            x = x + e
        return self.scaled(x) * options.get("scale", 1)


def apply_to(module, *args, **kwargs):
    return module(*args, **kwargs)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.act = nn.ReLU()

    def forward(self, x):
        a = self.inner.forward(x)
        b = self.inner.scaled(x)
        c = apply_to(self.inner, x, a, b, scale=0.5)
        d = self.act.forward(c)
        e = Inner.scaled(self.inner, d)
        f = self.act(input=e)
        g = nn.functional.linear(f, self.inner.fc.weight, self.inner.fc.bias)
        return torch.nn.Linear.forward(self.inner.fc, g)
