# SPDX-License-Identifier: GPL-3.0-or-later
"""An attribute that two calls read is an inner value that is read outside."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2, 2))

    def forward(self, x):
        w = self.weight
        return torch.matmul(x, w) + torch.matmul(x * 2, w)


class Pattern(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.any = torch.nn.Parameter(torch.zeros(7))

    def forward(self, x):
        return torch.matmul(x, self.any)


def replacement(x):
    return torch.neg(x)


model, pattern = Model(), Pattern()
