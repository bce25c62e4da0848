# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of math are recorded when a traced value reaches them, and evaluated otherwise.
# case: {"expr": "forward", "inputs": "torch.full((4, 9), 2.0)"}
# case: {"expr": "Net()", "inputs": "torch.full((4, 9), 2.0)"}

import math
import math as m
from math import ceil, log2, prod

import torch
from torch import nn


def forward(x):
    d = math.sqrt(x.size(1))
    n = ceil(x.shape[0] / 3) + math.floor(2.7) + m.exp(0.0)
    k = m.pow(x.shape[0], 2) + log2(8)
    area = prod([2, 3]) * math.gcd(12, 18) + prod([x.shape[0], x.shape[1]])
    return x / d + n, k, area, math.inf, math.isclose(1.0, 1.0), m.tau


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 1 / math.sqrt(9)
        self.hidden = 2 ** math.ceil(math.log2(9))
        self.fc = nn.Linear(9, self.hidden)

    def forward(self, x):
        return self.fc(x) * self.scale * math.log(x.shape[-1]) + math.cos(math.pi)
