# SPDX-License-Identifier: GPL-3.0-or-later
# A configuration tree of dictionaries that builds modules by a small factory.
# case: {"expr": "build(CONFIG)", "inputs": "torch.randn(1, 3, 8, 8)"}
# case: {"expr": "build({'type': 'Chain', 'parts': [{'type': 'Act', 'name': 'relu'}]})", "inputs": "torch.randn(2)"}

import inspect

import torch
from torch import nn

TYPES = {}


def register(cls):
    TYPES[cls.__name__] = cls
    return cls


def build(config):
    config = dict(config)
    kind = config.pop("type")
    try:
        cls = TYPES[kind]
    except KeyError:
        raise ValueError(f"unknown type {kind!r}, known: {', '.join(sorted(TYPES))}") from None
    return cls(**config)


@register
class Conv(nn.Sequential):
    def __init__(self, cin, cout, *, k=3, act=None, **conv):
        conv.setdefault("padding", k // 2)
        super().__init__(nn.Conv2d(cin, cout, k, **conv))
        if act is not None:
            self.add_module("act", build({"type": "Act", **act}))


@register
class Act(nn.Module):
    def __init__(self, name="relu", **options):
        super().__init__()
        self.fn = getattr(torch, name)
        self.options = options

    def forward(self, x):
        return self.fn(x, **self.options)


@register
class Chain(nn.Module):
    def __init__(self, parts, residual=()):
        super().__init__()
        self.parts = nn.ModuleList(build(p) for p in parts)
        self.residual = set(residual)

    def forward(self, x):
        for i, part in enumerate(self.parts):
            y = part(x)
            x = x + y if i in self.residual else y
        return x


CONFIG = {
    "type": "Chain",
    "residual": [1],
    "parts": [
        {"type": "Conv", "cin": 3, "cout": 4, "act": {"name": "clamp", "min": 0.0}},
        {"type": "Conv", "cin": 4, "cout": 4, "groups": 2, "bias": False, "act": {"name": "tanh"}},
        {"type": "Chain", "parts": [{"type": "Conv", "cin": 4, "cout": 2, "k": 1}]},
    ],
}
