# SPDX-License-Identifier: GPL-3.0-or-later
# Construction by type: isinstance, type tables, __class__.__name__, hasattr and getattr with defaults.
# case: {"expr": "Net([3, 'relu', nn.Linear(2, 1), ('drop', 0.1), None])", "inputs": "torch.randn(1, 4)"}

import torch
from torch import nn
from collections.abc import Iterable


class Net(nn.Module):
    def __init__(self, items):
        super().__init__()
        layers = []
        n = 4
        for item in items:
            if isinstance(item, bool) or item is None:
                layers.append(nn.Identity())
            elif isinstance(item, int):
                layers.append(nn.Linear(n, item))
                n = item
            elif isinstance(item, str):
                layers.append({"relu": nn.ReLU, "tanh": nn.Tanh}[item]())
            elif isinstance(item, nn.Module):
                layers.append(type(item)(n, item.out_features))
                n = item.out_features
            elif isinstance(item, Iterable):
                kind, value = item
                layers.append(nn.Dropout(p=value))
            else:
                raise TypeError(type(item))
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        names = [m.__class__.__name__ for m in self.layers]
        widths = [getattr(m, "out_features", -1) for m in self.layers]
        biased = [hasattr(m, "bias") for m in self.layers]
        return self.layers(x), names, widths, biased
