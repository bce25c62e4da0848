# SPDX-License-Identifier: GPL-3.0-or-later
# A plain tensor of a module that hangs in two places, and buffers with the same tensor.
# case: {"expr": "Net()", "inputs": "torch.ones(2)"}

import torch
from torch import nn


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = torch.ones(2)
        self.twin = self.plain
        self.register_buffer("buf", torch.ones(2))
        self.other = self.buf

    def forward(self, x):
        return x + self.plain + self.twin + self.buf + self.other


class Holder(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.table = table

    def forward(self, x):
        return self.table(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        table = Table()
        self.first = Holder(table)
        self.second = Holder(table)
        self.third = table

    def forward(self, x):
        return self.third(self.second(self.first(x)))
