# SPDX-License-Identifier: GPL-3.0-or-later
import torch
from torch import nn

from ...base import Configured
from .settings_plain import PlainConfig

__all__ = [
    "PlainModel",
    "PlainHead",
]


class PlainLayer(nn.Module):
    def __init__(self, config: PlainConfig):
        super().__init__()
        self.fc = nn.Linear(config.width, config.width)

    def forward(self, x):
        return torch.relu(self.fc(x)) + x


class PlainBase(Configured):
    config: PlainConfig


class PlainModel(PlainBase):
    def __init__(self, config: PlainConfig, with_norm=True):
        super().__init__(config)
        self.layers = nn.ModuleList([PlainLayer(config) for _ in range(config.depth)])
        self.norm = nn.LayerNorm(config.width) if with_norm else None

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x if self.norm is None else self.norm(x)


class PlainHead(PlainBase):
    def __init__(
        self,
        config,
        labels: int,
    ):
        super().__init__(config)
        self.body = PlainModel(config, with_norm=False)
        self.out = nn.Linear(config.width, labels)

    def forward(self, x):
        return self.out(self.body(x))
