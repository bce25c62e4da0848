# SPDX-License-Identifier: GPL-3.0-or-later
"""A parameter of a submodule cannot be copied alone."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x):
    return torch.relu(x)


class Replacement(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)

    def forward(self, x):
        return x + self.inner.weight


replacement = Replacement()
