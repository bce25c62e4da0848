# SPDX-License-Identifier: GPL-3.0-or-later
"""A parameter matches any parameter, whatever its path, and no buffer."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("table", torch.ones(2))
        self.inner = torch.nn.Linear(2, 2)

    def forward(self, x):
        return torch.add(x, self.weight), torch.add(x, self.table), torch.add(x, self.inner.bias), torch.add(x, x)


class Pattern(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.any = torch.nn.Parameter(torch.zeros(7))

    def forward(self, x):
        return torch.add(x, self.any)


def replacement(x):
    return torch.neg(x)


model, pattern = Model(), Pattern()
