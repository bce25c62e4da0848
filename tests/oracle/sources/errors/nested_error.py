# SPDX-License-Identifier: GPL-3.0-or-later
# An error deep inside of modules, in a helper of a helper.
# case: {"expr": "Net()", "fails": "error"}

import torch
from torch import nn


def needs_sign(x):
    return x.sqrt() if (x > 0).all() else x.abs().sqrt()


class Block(nn.Module):
    def __init__(self, last=False):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.last = last

    def helper(self, x):
        return needs_sign(x) if self.last else x

    def forward(self, x):
        return self.helper(self.fc(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(), nn.Sequential(Block(), Block(last=True)))

    def forward(self, x):
        return self.blocks(x)
