# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes whose names meet builtins, keywords, other nodes and numbered names.
# case: {"expr": "forward", "inputs": "torch.ones(2, 2), torch.ones(2, 2)"}
# case: {"expr": "Net()", "inputs": "torch.ones(2, 2), torch.ones(2, 2)"}

import torch
from torch import nn


def forward(add, relu_1):
    x = add + relu_1
    y = torch.relu(x).relu().relu_()
    z = torch.sum(y) + y.sum() + torch.abs(y).max()
    w = x.pow(2).type(torch.float32).float().T.t()
    return y, z, w, x.add(1).add_(2), torch.add(x, 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.add = nn.Identity()
        self.relu = nn.ReLU()
        self.list = nn.ModuleList([nn.Linear(2, 2)])
        self.Linear = nn.Linear(2, 2)
        self.HTTPServer = nn.Identity()
        self.add_1 = nn.Identity()
        self.x = nn.Parameter(torch.ones(2))
        self.output = nn.Identity()
        self.torch = nn.Identity()
        self.input = nn.Identity()

    def forward(self, x, input):
        y = self.add(x) + self.relu(x) + self.x
        y = self.list[0](y) + self.Linear(y) + self.HTTPServer(y)
        y = self.add_1(y) + self.input(input)
        return self.output(self.torch(y))
