# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions and modules that make as many calls as they are told, to time a trace."""

import torch
from torch import nn


class Chain(nn.Module):
    """`calls` calls of a function, one after the other."""

    def __init__(self, calls: int = 100_000):
        super().__init__()
        self.calls = calls

    def forward(self, x):
        for _ in range(self.calls):
            x = torch.relu(x)
        return x


class Mixed(nn.Module):
    """Operators, methods, functions and a module in turn: four nodes a round."""

    def __init__(self, rounds: int = 25_000):
        super().__init__()
        self.rounds = rounds
        self.act = nn.Sigmoid()
        self.weight = nn.Parameter(torch.ones(1))

    def forward(self, x):
        for i in range(self.rounds):
            x = self.act(torch.add(x * self.weight, i).neg())
        return x


def chain(x, calls: int = 100_000):
    for _ in range(calls):
        x = torch.relu(x)
    return x
