# SPDX-License-Identifier: GPL-3.0-or-later
# Routing that is decided by names at construction, not by data.
# case: {"expr": "Router({'a': 4, 'b': 6}, 'b')", "inputs": "torch.randn(2, 5)"}
# case: {"expr": "Router({'a': 4, 'b': 6}, 'a', 'b')", "inputs": "torch.randn(2, 5)"}

import torch
from torch import nn


class Router(nn.Module):
    def __init__(self, sizes, *active):
        super().__init__()
        self.branches = nn.ModuleDict({k: nn.Linear(5, v) for k, v in sizes.items()})
        self.scale = nn.ParameterDict({k: nn.Parameter(torch.ones(v)) for k, v in sizes.items()})
        self.active = frozenset(active)

    def forward(self, x):
        results = {}
        for name, branch in self.branches.items():
            if name not in self.active:
                continue
            results[name] = branch(x) * self.scale[name]
        if len(results) == 1:
            (only,) = results.values()
            return only
        return results
