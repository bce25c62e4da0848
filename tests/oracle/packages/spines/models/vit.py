# SPDX-License-Identifier: GPL-3.0-or-later
# Patches read by attention; windows of them, where a bias is kept for each distance.
from functools import partial
from typing import Any, Callable, Literal, Optional, Union

import torch
from torch import nn

from .._builder import assemble
from .._registry import register
from .._types import pair
from ..layers.activations import act_kind
from ..layers.attention import Attention, RelativeAttention, cut_windows, join_windows
from ..layers.norm import norm_kind
from ..layers.pool import Layout, PoolHead, rows_of


class Scale(nn.Module):
    def __init__(self, width: int, start: float = 1e-1, inplace: bool = False):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(start * torch.ones(width))

    def forward(self, x):
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class Layer(nn.Module):
    def __init__(self, width: int, heads: int, attention: Callable = Attention, norm=None, act=None,
                 scale: Optional[float] = None):
        super().__init__()
        self.norm1 = norm(width)
        self.attention = attention(width, heads=heads)
        self.scale1 = Scale(width, scale) if scale else nn.Identity()
        self.norm2 = norm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), act(), nn.Linear(2 * width, width))
        self.scale2 = Scale(width, scale) if scale else nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.scale1(self.attention(self.norm1(x)))
        return x + self.scale2(self.mlp(self.norm2(x)))


class WindowLayer(Layer):
    def __init__(self, width, heads, side=2, **kwargs):
        self.__dict__["side"] = pair(side)
        super().__init__(width, heads, attention=partial(RelativeAttention, side=side), **kwargs)

    def forward(self, x):
        n, h, w, c = x.shape
        rows = cut_windows(x, self.side)
        return join_windows(super().forward(rows), self.side, h, w)


class ViT(nn.Module):
    def __init__(self, size: Union[int, tuple] = 8, patch: int = 4, width: int = 8, depth: int = 2, heads: int = 2,
                 classes: int = 4, pool: Literal["mean", "most", "first"] = "first", norm="layer", act="gelu",
                 side: Optional[int] = None,
                 layer: Callable = Layer, **kwargs: Any):
        super().__init__()
        self.size, self.patch = pair(size), pair(patch)
        self.grid = tuple(s // p for s, p in zip(self.size, self.patch))
        self.width, self.windowed = width, side is not None
        norm, act = norm_kind(norm), act_kind(act)
        self.cut = nn.Conv2d(3, width, self.patch, self.patch)
        has_first = pool == "first" and not self.windowed
        self.first = nn.Parameter(torch.zeros(1, 1, width)) if has_first else None
        count = self.grid[0] * self.grid[1] + int(has_first)
        self.places = nn.Parameter(torch.randn(1, count, width) * 0.02)
        layer = partial(WindowLayer, side=side) if self.windowed else layer
        self.layers = nn.Sequential(*[layer(width, heads, norm=norm, act=act, **kwargs) for _ in range(depth)])
        self.norm = norm(width)
        self.head = PoolHead(width, classes, pool, Layout.NHWC if self.windowed else Layout.NLC)

    @torch.jit.ignore
    def no_decay(self) -> set:
        return {"places", "first"}

    def features(self, x: torch.Tensor) -> torch.Tensor:
        n, c, h, w = x.shape
        torch._assert(h == self.size[0], f"Height ({h}) is not that of the network ({self.size[0]}).")
        x = rows_of(self.cut(x), Layout.NCHW)
        if self.first is not None:
            x = torch.cat((self.first.expand(n, -1, -1), x), dim=1)
        x = x + self.places
        if self.windowed:
            x = x.unflatten(1, self.grid)
        return self.norm(self.layers(x))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.features(x))


def _vit(name: str, pretrained=False, tag="", **kwargs) -> ViT:
    return assemble(ViT, name, pretrained, **kwargs)


@register
def vit_nano(pretrained: bool = False, **kwargs) -> ViT:
    return _vit("vit_nano", pretrained=pretrained, **kwargs)


@register
def vit_scaled(pretrained=False, **kwargs):
    return _vit("vit_scaled", pretrained, **dict(dict(depth=1, scale=0.1, pool="mean", act="bump"), **kwargs))


@register
def vit_window(pretrained=False, **kwargs):
    return _vit("vit_window", pretrained, **dict(dict(patch=2, side=2, pool="mean", act="silu"), **kwargs))
