# SPDX-License-Identifier: GPL-3.0-or-later
# Annotations are texts when the file asks for it.
# case: {"expr": "forward", "inputs": "torch.ones(2), 2.0"}
# case: {"expr": "Net(3)", "inputs": "torch.ones(2, 3)"}

from __future__ import annotations

import torch
from torch import nn, Tensor


def forward(x: Tensor, scale: float | None = 1.5) -> tuple[Tensor, float]:
    return x * scale, 2.5


class Net(nn.Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc(x)
