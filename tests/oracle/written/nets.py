# SPDX-License-Identifier: GPL-3.0-or-later
# Modules of source, captured or traced and then written.
import torch
import torch.nn as nn


class Small(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)
        self.head = nn.Linear(width, 2)
        self.register_buffer("shift", torch.ones(2), persistent=False)
        self.tied = self.head

    def forward(self, x, scale=2.0):
        y = torch.relu(self.norm(self.conv(x))).mean((2, 3))
        return {"out": self.tied(y) * scale + self.shift, "parts": [y.chunk(3, 1)[0], y.max(1)]}


class Adding(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        return self.lin(x) + 1


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        self.count.add_(x.sum())
        x.mul_(2)
        return x + self.count
