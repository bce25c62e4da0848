# SPDX-License-Identifier: GPL-3.0-or-later
"""A path that the model has already is the model's."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return torch.relu(x) * self.scale


def pattern(x):
    return torch.relu(x)


class Replacement(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.zeros(5))

    def forward(self, x):
        return x + self.scale


model, replacement = Model(), Replacement()
