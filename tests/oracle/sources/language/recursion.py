# SPDX-License-Identifier: GPL-3.0-or-later
# A tree of modules that calls itself, and a recursive function.
# case: {"expr": "Tree(2, 4)", "inputs": "torch.randn(1, 4)"}
# case: {"expr": "halving", "inputs": "torch.randn(8), 8", "concrete": {"n": "8"}}

import torch
from torch import nn


class Tree(nn.Module):
    def __init__(self, levels, dim):
        super().__init__()
        self.levels = levels
        if levels > 0:
            self.left, self.right = Tree(levels - 1, dim), Tree(levels - 1, dim)
            self.join = nn.Linear(2 * dim, dim)
        else:
            self.leaf = nn.Linear(dim, dim)

    def forward(self, x):
        if self.levels == 0:
            return self.leaf(x)
        return self.join(torch.cat([self.left(x), self.right(x)], dim=-1))


def halving(x, n=8):
    if n == 1:
        return x
    even, odd = x[0::2], x[1::2]
    return halving(even, n // 2) + halving(odd, n // 2)
