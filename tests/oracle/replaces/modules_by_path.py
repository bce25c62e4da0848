# SPDX-License-Identifier: GPL-3.0-or-later
"""A called module matches by its path alone."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(2, 2)
        self.act = torch.nn.ReLU()
        self.second = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.act(self.second(self.act(self.first(x))))


class Pattern(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv2d(1, 1, 1)
        self.act = torch.nn.Tanh()

    def forward(self, x):
        return self.act(self.first(x))


class Replacement(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.second = torch.nn.Linear(2, 2)

    def forward(self, x):
        return torch.sigmoid(self.second(x))


model, pattern, replacement = Model(), Pattern(), Replacement()
