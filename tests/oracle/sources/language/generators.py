# SPDX-License-Identifier: GPL-3.0-or-later
# Generators, yield from, iterators with next and send.
# case: {"expr": "forward", "inputs": "torch.ones(3)"}
# case: {"expr": "Net(3)", "inputs": "torch.ones(2, 4)"}

import torch
from torch import nn


def powers(x, n):
    y = x
    for _ in range(n):
        yield y
        y = y * x


def both(x):
    yield from powers(x, 2)
    yield x + 100


def forward(x):
    g = both(x)
    first = next(g)
    rest = list(g)
    total = sum(powers(x, 3), start=first)
    it = iter([1, 2, 3])
    next(it)
    return total, rest, [x * i for i in it], next(iter(()), None)


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = nn.ModuleList(self._make(n))

    def _make(self, n):
        while n > 0:
            yield nn.Linear(4, 4)
            n -= 1

    def outputs(self, x):
        for layer in self.layers:
            x = layer(x)
            yield x

    def forward(self, x):
        *_, last = self.outputs(x)
        return last, tuple(self.outputs(x))[0]
