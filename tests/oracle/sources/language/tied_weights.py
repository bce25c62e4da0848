# SPDX-License-Identifier: GPL-3.0-or-later
# Shared modules, shared parameters, one module called twice and under two names.
# case: {"expr": "Tied()", "inputs": "torch.randint(0, 5, (2, 3))"}

import torch
from torch import nn


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 4)
        self.out = nn.Linear(4, 5, bias=False)
        self.out.weight = self.embed.weight
        self.first = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.second = self.first
        self.list = nn.ModuleList([self.first[0], nn.Linear(4, 4)])
        self.scale = nn.Parameter(torch.ones(4))
        self.same_scale = self.scale

    def forward(self, x):
        h = self.embed(x)
        h = self.first(h)
        h = self.second(h) * self.same_scale
        for layer in self.list:
            h = layer(h) * self.scale
        w = self.out.weight
        return self.out(h), h @ w.t()
