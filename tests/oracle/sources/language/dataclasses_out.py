# SPDX-License-Identifier: GPL-3.0-or-later
# Dataclasses as configuration, as results inside and as result outside.
# case: {"expr": "forward", "inputs": "torch.ones(2)"}
# case: {"expr": "Net(Config.small())", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "Net(Config(sizes=[3, 5, 2], act='tanh'))", "inputs": "torch.ones(2, 3)"}

import dataclasses
from dataclasses import dataclass, field
from typing import ClassVar, List, Optional

import torch
from torch import nn


@dataclass
class Result:
    value: torch.Tensor
    extra: Optional[torch.Tensor] = None
    name: str = "result"

    @property
    def total(self):
        return self.value.sum()


@dataclass(order=True)
class Config:
    sizes: List[int] = field(default_factory=lambda: [3, 2])
    act: str = "relu"
    bias: bool = True
    version: ClassVar[int] = 2
    depth: int = field(init=False)

    def __post_init__(self):
        self.depth = len(self.sizes) - 1

    @classmethod
    def small(cls):
        return cls(sizes=[3, 1], bias=False)


def forward(x):
    inner = Result(x + 1)
    return Result(inner.value * 2, extra=inner.total)


class Net(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList(
            nn.Linear(a, b, bias=config.bias) for a, b in zip(config.sizes, config.sizes[1:])
        )

    def forward(self, x):
        for layer in self.layers:
            x = getattr(torch, self.config.act)(layer(x))
        as_dict = dataclasses.asdict(self.config)
        names = [f.name for f in dataclasses.fields(self.config)]
        return x * as_dict["depth"], len(names), self.config == Config.small(), repr(self.config)
