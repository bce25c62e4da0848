# SPDX-License-Identifier: GPL-3.0-or-later
"""What only the replacement has is copied in, what is called no more is deleted."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
        self.head = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.head(torch.relu(self.block[0](x)))


class Pattern(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = torch.nn.ModuleList([torch.nn.Linear(2, 2)])

    def forward(self, x):
        return torch.relu(self.block[0](x))


class Replacement(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = torch.nn.ModuleDict({"norm": torch.nn.BatchNorm1d(2), "gate": torch.nn.Sigmoid()})
        self.scale = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("shift", torch.zeros(2))

    def forward(self, x):
        return self.parts["gate"](self.parts["norm"](x)) * self.scale + self.shift


model, pattern, replacement = Model(), Pattern(), Replacement()
