# SPDX-License-Identifier: GPL-3.0-or-later
# ModuleList, ModuleDict, Sequential, ParameterList and ParameterDict as people index them.
# case: {"expr": "Containers()", "inputs": "torch.randn(2, 4)"}

from collections import OrderedDict

import torch
from torch import nn


class Containers(nn.Module):
    def __init__(self):
        super().__init__()
        self.seq = nn.Sequential(OrderedDict(first=nn.Linear(4, 4), act=nn.ReLU(), last=nn.Linear(4, 4)))
        self.plain = nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.Tanh(), nn.Linear(4, 4)), nn.Identity())
        self.items = nn.ModuleList([nn.Linear(4, 4) for _ in range(4)])
        self.table = nn.ModuleDict([["conv", nn.Conv1d(1, 1, 1)], ["pool", nn.AvgPool1d(2)]])
        self.table.update({"extra": nn.Identity()})
        self.weights = nn.ParameterList([nn.Parameter(torch.ones(4)) for _ in range(3)])
        self.named = nn.ParameterDict({"left": nn.Parameter(torch.ones(4)), "right": nn.Parameter(torch.zeros(4))})
        self.empty = nn.Sequential()
        del self.plain[2]
        self.items[3] = nn.Linear(4, 2)

    def forward(self, x):
        x = self.seq(x)
        x = self.seq.act(x)
        x = self.seq[-1](x)
        x = self.plain(self.empty(x))
        for layer in self.items[:2]:
            x = layer(x)
        for i in range(len(self.items)):
            if i < 2:
                x = x + self.items[i](x)
        for w in self.weights:
            x = x * w
        x = x * self.named["left"] + self.named.right + self.weights[-1]
        for key in self.named:
            x = x - self.named[key]
        if "conv" in self.table:
            x = self.table["conv"](x.unsqueeze(1)).squeeze(1)
        for name, module in self.seq.named_children():
            if name.startswith("l"):
                x = module(x)
        for child in self.plain.children():
            x = child(x)
        a, b = self.items[2:]
        return b(a(x)), len(self.weights), list(self.table.keys())
