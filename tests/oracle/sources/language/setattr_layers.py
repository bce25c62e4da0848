# SPDX-License-Identifier: GPL-3.0-or-later
# Layers made in loops with setattr, add_module, register_module and names that are not identifiers.
# case: {"expr": "Net(3)", "inputs": "torch.randn(1, 2, 8, 8)"}
# case: {"expr": "Keyword()", "fails": "code_error"}

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        for i in range(n):
            setattr(self, f"conv{i}", nn.Conv2d(2, 2, 3, padding=1))
            self.add_module(str(i), nn.BatchNorm2d(2))
            self.register_module("gate-%d" % i, nn.Sigmoid())
            self.register_parameter(f"alpha_{i}", nn.Parameter(torch.tensor(float(i))))
        self.n = n
        self.for_ = nn.ReLU()
        self.register_module("Mixed_Case.", None) if False else None

    def forward(self, x):
        for i in range(self.n):
            y = getattr(self, f"conv{i}")(x)
            y = self._modules[str(i)](y)
            x = x + getattr(self, "gate-" + str(i))(y) * getattr(self, f"alpha_{i}")
        x = self.for_(x)
        return x, getattr(self, "missing", None)


class Keyword(nn.Module):
    def __init__(self):
        super().__init__()
        setattr(self, "while", nn.Tanh())

    def forward(self, x):
        return getattr(self, "while")(x)
