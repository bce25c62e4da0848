# SPDX-License-Identifier: GPL-3.0-or-later
# Neither attention nor wide kernels: rows and columns of patches are mixed in turn.
from functools import partial

import torch
from torch import nn

from .._builder import assemble
from .._registry import register
from ..layers.norm import norm_kind
from ..layers.pool import Layout, PoolHead, rows_of

__all__ = []


class Gated(nn.Module):
    def __init__(self, width, inner, act=nn.GELU, gate=True):
        super().__init__()
        self.enter, self.act = nn.Linear(width, inner * (2 if gate else 1)), act()
        self.leave, self.gate = nn.Linear(inner, width), gate

    def forward(self, x):
        x = self.enter(x)
        if self.gate:
            x, gate = x.chunk(2, dim=-1)
            x = x * self.act(gate)
        else:
            x = self.act(x)
        return self.leave(x)


class Turn(nn.Module):
    def __init__(self, width, rows, norm, mlp=Gated, swap=True):
        super().__init__()
        self.norm1, self.norm2 = norm(width), norm(width)
        self.rows = mlp(rows, rows * 2)
        self.columns = mlp(width, width * 2)
        self.swap = swap

    def forward(self, x):
        if self.swap:
            x = x + self.rows(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.columns(self.norm2(x))


class Mixer(nn.Module):
    def __init__(self, size=8, patch=4, width=6, depth=2, classes=4, gate=True):
        super().__init__()
        self.cut = nn.Conv2d(3, width, patch, patch)
        mlp = partial(Gated, gate=gate, act=partial(nn.GELU, approximate="tanh"))
        self.turns = nn.Sequential(*(Turn(width, (size // patch) ** 2, norm_kind("layer"), mlp) for _ in range(depth)))
        self.norm = norm_kind("layer", elementwise_affine=False)(width)
        self.head = PoolHead(width, classes, "mean", Layout.NLC)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = rows_of(self.cut(x), Layout["NCHW"])
        return self.head(self.norm(self.turns(x)))


@register
def mixer_nano(pretrained=False, **kwargs):
    return assemble(Mixer, "mixer_nano", pretrained, **kwargs)


@register
def mixer_bare(pretrained=False, **kwargs):
    return assemble(Mixer, "mixer_bare", pretrained, **{"gate": False, "depth": 1, **kwargs})
