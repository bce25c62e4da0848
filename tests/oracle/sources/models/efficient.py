# SPDX-License-Identifier: GPL-3.0-or-later
# Compound scaling from a dataclass, stochastic depth that is off in eval.
# case: {"expr": "Efficient(Config(width=1.0, depth=1.0))", "inputs": "torch.randn(1, 3, 32, 32)"}
# case: {"expr": "Efficient(Config(width=0.5, depth=2.0, act='silu'))", "inputs": "torch.randn(1, 3, 32, 32)"}

import math
from dataclasses import dataclass, field, replace

import torch
from torch import nn
import torch.nn.functional as F


@dataclass(frozen=True)
class Stage:
    expand: int
    channels: int
    layers: int
    stride: int = 1


@dataclass
class Config:
    width: float = 1.0
    depth: float = 1.0
    act: str = "relu"
    stages: list = field(default_factory=lambda: [Stage(1, 4, 1), Stage(2, 8, 1, stride=2)])

    def scaled(self):
        return [
            replace(s, channels=int(math.ceil(s.channels * self.width)), layers=math.ceil(s.layers * self.depth))
            for s in self.stages
        ]


ACTS = {"relu": nn.ReLU, "silu": nn.SiLU, "gelu": nn.GELU}


class StochasticDepth(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training or self.p == 0.0:
            return x
        keep = 1 - self.p
        shape = [x.shape[0]] + [1] * 3
        return x * torch.empty(shape).bernoulli_(keep) / keep


class Block(nn.Module):
    def __init__(self, cin, stage: Stage, stride, act, p):
        super().__init__()
        mid = cin * stage.expand
        body = []
        if stage.expand != 1:
            body.extend([nn.Conv2d(cin, mid, 1, bias=False), nn.BatchNorm2d(mid), ACTS[act]()])
        body.append(nn.Conv2d(mid, mid, 3, stride, 1, groups=mid))
        body.append(ACTS[act]())
        body.append(nn.Conv2d(mid, stage.channels, 1))
        self.body = nn.Sequential(*body)
        self.skip = stride == 1 and cin == stage.channels
        self.drop = StochasticDepth(p)

    def forward(self, input):
        result = self.body(input)
        if self.skip:
            result = self.drop(result)
            result += input
        return result


class Efficient(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        cin = 4
        self.stem = nn.Conv2d(3, cin, 3, 2, 1)
        blocks = nn.ModuleList()
        stages = config.scaled()
        total = sum(s.layers for s in stages)
        index = 0
        for stage in stages:
            for i in range(stage.layers):
                blocks.append(Block(cin, stage, stage.stride if i == 0 else 1, config.act, 0.2 * index / total))
                cin, index = stage.channels, index + 1
        self.blocks = blocks
        self.head = nn.Linear(cin, 10)

    def forward(self, x):
        x = F.silu(self.stem(x))
        for block in self.blocks:
            x = block(x)
        return self.head(F.adaptive_avg_pool2d(x, 1).flatten(1))
