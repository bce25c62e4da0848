# SPDX-License-Identifier: GPL-3.0-or-later
# Loops and branches that depend on the configuration alone.
# case: {"expr": "Flow(3)", "inputs": "torch.ones(2, 4), 1.5"}
# case: {"expr": "Flow(0, mode='skip')", "inputs": "torch.ones(2, 4), 1.5"}
# case: {"expr": "Flow(5, mode='match', stop=3)", "inputs": "torch.ones(2, 4), 1.5"}
# case: {"expr": "Flow(2)", "train": true}

import torch
from torch import nn
import torch.nn.functional as F


class Flow(nn.Module):
    def __init__(self, n, mode="loop", stop=None):
        super().__init__()
        self.n, self.mode, self.stop = n, mode, stop
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(n)])

    def forward(self, x, scale: float = None):
        i = 0
        while i < self.n:
            x = x * i
            i += 1
            if self.stop is not None and i >= self.stop:
                break
        else:
            x = x + 100
        for i, layer in enumerate(reversed(self.layers)):
            if i % 2:
                continue
            x = layer(x) if self.mode == "loop" else layer(x).relu()
        match self.mode:
            case "loop":
                x = x.sum()
            case "match" | "other":
                x = x.mean()
            case _:
                pass
        if self.training:
            x = F.dropout(x, 0.1, self.training)
        elif not self.n:
            x = torch.zeros_like(x)
        if scale is None:
            return x
        return x * scale
