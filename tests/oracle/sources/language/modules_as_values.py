# SPDX-License-Identifier: GPL-3.0-or-later
# A module given to a wrapped function, a model that holds a traced one, and a tracer that follows another method.
# case: {"expr": "Given()", "inputs": "torch.ones(2, 3)"}
# case: {"expr": "Holding()", "inputs": "torch.ones(2, 3)", "inlines": true}
# case: {"expr": "HoldingFixed()", "inputs": "torch.ones(2, 3)", "inlines": true}
# case: {"expr": "Encoder()", "inputs": "torch.ones(2, 3)", "tracer_class": "EncodeTracer"}

import torch
from torch import fx, nn


@fx.wrap
def apply(module, x, *, times=1):
    for _ in range(times):
        x = module(x)
    return x


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.register_buffer("shift", torch.ones(3))
        self.scale = nn.Parameter(torch.full((3,), 2.0))

    def forward(self, x):
        return torch.relu(self.linear(x)) * self.scale + self.shift


class Given(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.blocks = nn.Sequential(nn.Linear(3, 3), Block())

    def forward(self, x):
        return apply(self.linear, x) + apply(self.blocks, x, times=2)


class Holding(nn.Module):
    def __init__(self):
        super().__init__()
        self.traced = fx.symbolic_trace(Block())
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        return self.head(self.traced(x))


class Scaled(nn.Module):
    def forward(self, x, scale=1):
        return x * scale


class HoldingFixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.traced = fx.symbolic_trace(Scaled(), concrete_args={"scale": 3})

    def forward(self, x):
        return self.traced(x, 3) + 1


class EncodeTracer(fx.Tracer):
    traced_func_name = "encode"


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        return x

    def encode(self, x):
        return self.linear(x) * 2
