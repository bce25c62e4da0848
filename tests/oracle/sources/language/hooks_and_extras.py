# SPDX-License-Identifier: GPL-3.0-or-later
# Modules with methods that people add: summaries, freezing, copies, weight loading.
# case: {"expr": "build()", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "Net().freeze().half_size()", "inputs": "torch.randn(2, 3)"}

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 3))
        self.target = copy.deepcopy(self.encoder)
        self.target.requires_grad_(False)

    def freeze(self):
        for p in self.encoder.parameters():
            p.requires_grad = False
        return self

    def half_size(self):
        self.encoder[0] = nn.Linear(3, 4)
        self.encoder[2] = nn.Linear(4, 3, bias=False)
        self.target = None
        return self

    def num_parameters(self):
        return sum(p.numel() for p in self.parameters() if p.requires_grad)

    def forward(self, x):
        y = self.encoder(x)
        if self.target is not None:
            y = y - self.target(x)
        return y / self.num_parameters()


def build():
    net = Net()
    state = net.state_dict()
    other = Net()
    other.load_state_dict(state)
    other.eval()
    for module in other.modules():
        if hasattr(module, "weight"):
            module.weight.data.mul_(2.0)
    return other.train(False)
