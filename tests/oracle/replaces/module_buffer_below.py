# SPDX-License-Identifier: GPL-3.0-or-later
"""A buffer of a submodule neither: the path leads nowhere afterwards."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x):
    return torch.relu(x)


class Replacement(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.BatchNorm1d(2)

    def forward(self, x):
        return x + self.inner.running_mean


replacement = Replacement()
