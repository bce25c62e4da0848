# SPDX-License-Identifier: GPL-3.0-or-later
# A picture as a row of patches, read by attention. The stem may be a few convolutions, told by a NamedTuple.
import math
from collections import OrderedDict
from functools import partial
from typing import Any, Callable, List, NamedTuple, Optional

import torch
import torch.nn as nn

from ..ops.squeeze import ConvUnit
from .registry import register

__all__ = ["StemStep", "PatchFormer", "patchformer_nano", "patchformer_stem"]


class StemStep(NamedTuple):
    outside: int
    kernel: int
    stride: int
    act: Callable[..., nn.Module] = nn.ReLU


class TwoLayer(nn.Sequential):
    _version = 2

    def __init__(self, width: int, inner: int, dropout: float):
        super().__init__(nn.Linear(width, inner), nn.GELU(), nn.Dropout(dropout), nn.Linear(inner, width), nn.Dropout(dropout))
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                nn.init.normal_(module.bias, std=1e-3)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        version = local_metadata.get("version", None)
        if (version or 1) < self._version:
            for key in [k for k in state_dict if k.startswith((prefix + "enter.", prefix + "leave."))]:
                layer, _, rest = key[len(prefix):].partition(".")
                state_dict[prefix + {"enter": "0.", "leave": "3."}[layer] + rest] = state_dict.pop(key)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class Reader(nn.Module):
    def __init__(self, heads: int, width: int, inner: int, dropout: float, norm: Callable[..., nn.Module]):
        super().__init__()
        self.heads = heads
        self.norm_a = norm(width)
        self.attention = nn.MultiheadAttention(width, heads, dropout=dropout, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.norm_b = norm(width)
        self.mix = TwoLayer(width, inner, dropout)

    def forward(self, rows: torch.Tensor):
        torch._assert(rows.dim() == 3, f"expected (batch, row, width) got {rows.shape}")
        x = self.norm_a(rows)
        x, _ = self.attention(x, x, x, need_weights=False)
        x = self.dropout(x) + rows
        return x + self.mix(self.norm_b(x))


class PatchFormer(nn.Module):
    def __init__(self, picture: int, patch: int, depth: int, heads: int, width: int, classes: int = 4, dropout: float = 0.0,
                 norm: Callable[..., nn.Module] = partial(nn.LayerNorm, eps=1e-6), stem: Optional[List[StemStep]] = None):
        super().__init__()
        torch._assert(picture % patch == 0, "the picture is not a whole number of patches")
        self.picture, self.patch, self.width = picture, patch, width
        if stem is not None:
            steps, inside = nn.Sequential(), 3
            for number, step in enumerate(stem):
                known = step._asdict()
                steps.add_module(f"unit_{number}", ConvUnit(inside, **known, inplace=None))
                inside = step.outside
            steps.add_module("last", nn.Conv2d(inside, width, kernel_size=1))
            self.cut: nn.Module = steps
        else:
            self.cut = nn.Conv2d(3, width, kernel_size=patch, stride=patch)
            fan = self.cut.in_channels * self.cut.kernel_size[0] * self.cut.kernel_size[1]
            nn.init.trunc_normal_(self.cut.weight, std=math.sqrt(1 / fan))
        count = (picture // patch) ** 2 + 1
        self.first = nn.Parameter(torch.zeros(1, 1, width))
        self.places = nn.Parameter(torch.empty(1, count, width).normal_(std=0.02))
        layers: OrderedDict[str, nn.Module] = OrderedDict()
        for number in range(depth):
            layers[f"reader_{number}"] = Reader(heads, width, width * 2, dropout, norm)
        self.readers = nn.Sequential(layers)
        self.norm = norm(width)
        self.head = nn.Linear(width, classes)

    def _rows(self, x: torch.Tensor) -> torch.Tensor:
        n, c, h, w = x.shape
        torch._assert(h == self.picture, f"height is not {self.picture}")
        torch._assert(w == self.picture, f"width is not {self.picture}, it is {w}")
        high, wide = h // self.patch, w // self.patch
        x = self.cut(x).reshape(n, self.width, high * wide)
        return x.permute(0, 2, 1)

    def forward(self, x: torch.Tensor):
        x = self._rows(x)
        first = self.first.expand(x.shape[0], -1, -1)
        x = torch.cat([first, x], dim=1) + self.places
        x = self.norm(self.readers(x))
        return self.head(x[:, 0])


@register()
def patchformer_nano(**options: Any) -> PatchFormer:
    return PatchFormer(**{"picture": 8, "patch": 4, "depth": 2, "heads": 2, "width": 8, **options})


@register()
def patchformer_stem(**options: Any) -> PatchFormer:
    stem = [StemStep(4, 3, 2), StemStep(6, 3, 2)._replace(act=nn.SiLU)]
    return PatchFormer(8, 4, 1, 2, 8, stem=stem, **options)
