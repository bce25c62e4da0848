# SPDX-License-Identifier: GPL-3.0-or-later
# Own classes as leaves, submodules of leaves not entered, subclasses of torch.nn entered.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)"}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "leaf": ["Block"]}
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)", "leaf": ["MyLinear", "Chain"]}

import torch
from torch import nn


class MyLinear(nn.Linear):
    def forward(self, x):
        return super().forward(x) * 2


class Chain(nn.Sequential):
    pass


class MyRelu(nn.ReLU):
    pass


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = MyLinear(4, 4)
        self.act = MyRelu(inplace=False)

    def forward(self, x, scale=1.0, *, shift=None):
        if shift is not None:
            x = x + shift
        return self.act(self.fc(x)) * scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = Block()
        self.block2 = Block()
        self.chain = Chain(Block(), nn.Linear(4, 2))

    def forward(self, x):
        x = self.block1(x)
        x = self.block2(x, 0.5, shift=x.mean())
        return self.chain(x)
