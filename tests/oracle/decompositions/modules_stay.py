# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of modules and attributes are copied as they are."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(3, 3)
        self.scale = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return torch.square(self.lin(x)) * self.scale + torch.square(self.scale)


model = Net()


def square(x):
    return x * x


rules = {torch.square: square}
