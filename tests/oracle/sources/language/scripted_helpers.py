# SPDX-License-Identifier: GPL-3.0-or-later
# Decorators of torch that change nothing for a trace: ignore, export, no_grad as decorator, jit annotations.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 3)"}

from typing import Final, List

import torch
from torch import nn


class Net(nn.Module):
    __constants__ = ["n"]
    n: Final[int]

    def __init__(self):
        super().__init__()
        self.n = 2
        self.fc = nn.Linear(3, 3)

    @torch.jit.ignore
    def ignored(self, x):
        return x + 1

    @torch.jit.export
    def exported(self, x):
        return self.fc(x)

    @torch.no_grad()
    def quiet(self, x):
        return x * 2

    def forward(self, x):
        if torch.jit.is_scripting():
            return x
        outs: List[torch.Tensor] = []
        for _ in range(self.n):
            x = self.quiet(self.exported(self.ignored(x)))
            outs.append(x)
        if not torch.jit.is_tracing():
            outs = outs[::-1]
        return torch.stack(outs)
