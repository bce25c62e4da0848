# SPDX-License-Identifier: GPL-3.0-or-later
# Attributes that forward itself changes: counters, caches of static values, results kept on self.
# case: {"expr": "Net()", "inputs": "torch.randn(3)"}

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.cache = {}
        self.fc = nn.Linear(3, 3)
        self.last = None

    def kernel(self, n):
        if n not in self.cache:
            self.cache[n] = torch.ones(n)
        return self.cache[n]

    def forward(self, x):
        self.calls += 1
        self.last = self.fc(x)
        y = self.last + self.kernel(3) * self.calls
        self.hidden = y
        y = y + self.kernel(3)
        return self.hidden * self.last, y
