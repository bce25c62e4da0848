# SPDX-License-Identifier: GPL-3.0-or-later
"""Buffers and constants are plain tensors."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("table", torch.ones(2))
        self.plain = torch.ones(2)

    def forward(self, x):
        return torch.add(x, self.weight), torch.add(x, self.table), torch.add(x, self.plain), x * torch.zeros(3)


class Pattern(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("any", torch.zeros(7))

    def forward(self, x):
        return torch.add(x, self.any)


def replacement(x):
    return torch.neg(x)


model, pattern = Model(), Pattern()
