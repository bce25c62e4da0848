# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures take the short or the long way by how bright they are, which no trace can tell.
from typing import Any

import torch
from torch import Tensor, nn

from .registry import register

__all__ = ["Routed", "routed_net"]


class Routed(nn.Module):
    def __init__(self, limit: float = 0.25, by_shape: bool = False):
        super().__init__()
        self.limit, self.by_shape = limit, by_shape
        self.short = nn.Conv2d(3, 4, 1)
        self.long = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.Tanh())

    def forward(self, x: Tensor) -> Tensor:
        if self.by_shape:
            rows = [self.short(x[..., row : row + 1, :]) for row in range(x.size(2))]
            return torch.cat(rows, dim=2)
        if x.mean() > self.limit:
            return self.long(x)
        return self.short(x)


@register()
def routed_net(**options: Any) -> Routed:
    return Routed(**options)
