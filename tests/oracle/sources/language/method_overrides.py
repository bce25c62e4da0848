# SPDX-License-Identifier: GPL-3.0-or-later
# Magic of modules: __call__ left alone, __getattr__ that forwards, __len__ and __getitem__ of a module.
# case: {"expr": "Wrapper(Pyramid(3))", "inputs": "torch.randn(2, 4)"}

import torch
from torch import nn


class Pyramid(nn.Module):
    levels = property(lambda self: len(self.blocks))

    def __init__(self, n):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(n)])
        self.gain = 0.5

    def __len__(self):
        return len(self.blocks)

    def __getitem__(self, i):
        return self.blocks[i]

    def __iter__(self):
        return iter(self.blocks)

    def scaled(self, x):
        return x * self.gain

    def forward(self, x):
        for block in self:
            x = block(x)
        return self.scaled(self[0](x)) + len(self) + self.levels


class Wrapper(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)

    def forward(self, x):
        return self.scaled(self.module(x)) / self.gain
