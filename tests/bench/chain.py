# SPDX-License-Identifier: GPL-3.0-or-later
"""A module that makes as many calls as it is told, to time a trace."""

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
