# SPDX-License-Identifier: GPL-3.0-or-later
# functools.partial and reduce, operator functions, itertools over layers.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 4)"}

import itertools
import operator
from functools import partial, reduce

import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, norm_layer=partial(nn.LayerNorm, eps=1e-3), act=partial(F.leaky_relu, negative_slope=0.3)):
        super().__init__()
        self.norm = norm_layer(4)
        self.act = act
        self.layers = nn.ModuleList(map(lambda n: nn.Linear(n, 4), itertools.repeat(4, 3)))

    def forward(self, x):
        x = self.act(self.norm(x))
        x = reduce(lambda a, layer: layer(a), self.layers, x)
        parts = [x, x * 2, x * 3]
        total = reduce(operator.add, parts)
        running = list(itertools.accumulate(parts, operator.mul))
        chained = torch.cat(list(itertools.chain(parts, running)), dim=1)
        pairs = [a - b for a, b in itertools.combinations(parts, 2)]
        zipped = [a + b for a, b in itertools.zip_longest(parts, pairs[:1], fillvalue=1.0)]
        grid = [p * i for p, i in itertools.product(parts[:1], itertools.islice(itertools.count(2), 2))]
        return total, chained, pairs, zipped, grid
