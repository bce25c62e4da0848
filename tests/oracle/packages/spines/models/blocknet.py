# SPDX-License-Identifier: GPL-3.0-or-later
# Stages of residual blocks; a stage is found by its name, and the stem may be shallow or deep.
from typing import Any, Dict, List, Tuple

import torch
from torch import nn

from .._builder import assemble
from .._manipulate import apply_named, checkpointed
from .._pretrained import tagged
from .._registry import register
from ..layers.activations import make_act
from ..layers.conv import make_conv
from ..layers.norm import make_norm
from ..layers.pool import PoolHead

__all__ = ["BlockNet"]


def _card(url: str = "", **kwargs: Any) -> Dict[str, Any]:
    return {"url": url or None, "classes": 3, "head": "head.fc", **kwargs}


CARDS = tagged({
    "block_tiny.first": _card(),
    "block_tiny.second*": _card(classes=5, mean=(0.4, 0.4, 0.4)),
    "block_same.first": _card(input_size=(3, 9, 9)),
})


class Block(nn.Module):
    def __init__(self, inside: int, outside: int, stride: int = 1, act="relu", norm="batch", padding: Any = ""):
        super().__init__()
        self.conv1 = make_conv(inside, outside, 3, padding, stride=stride)
        self.norm1 = make_norm(norm, outside)
        self.act1 = make_act(act, inplace=True)
        self.conv2 = make_conv(outside, outside, 3, padding)
        self.norm2 = make_norm(norm, outside, apply_act=False)
        self.act2 = make_act(act, inplace=True)
        self.shortcut = None
        if stride != 1 or inside != outside:
            self.shortcut = nn.Sequential(make_conv(inside, outside, 1, padding, stride=stride), make_norm(norm, outside, False))

    def quiet(self) -> None:
        if getattr(self.norm2, "weight", None) is not None:
            nn.init.constant_(self.norm2.weight, 0.25)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kept = x
        x = self.act1(self.norm1(self.conv1(x)))
        x = self.norm2(self.conv2(x))
        if self.shortcut is not None:
            kept = self.shortcut(kept)
        x += kept
        return self.act2(x)


class BlockNet(nn.Module):
    def __init__(self, depths: Tuple[int, ...] = (1, 1), widths: Tuple[int, ...] = (4, 8), classes: int = 3, stem: str = "plain",
                 pool: str = "mean", **block: Any):
        super().__init__()
        self.memory_saving = False
        if "deep" in stem:
            self.stem = nn.Sequential(*[
                layer for inside, outside in ((3, widths[0] // 2), (widths[0] // 2, widths[0]))
                for layer in (make_conv(inside, outside, 3, stride=1), make_norm("batch_act", outside))
            ])
        else:
            self.stem = make_conv(3, widths[0], 3, stride=2)
        self.stages: List[str] = []
        inside = widths[0]
        for number, (depth, width) in enumerate(zip(depths, widths)):
            blocks = []
            for step in range(depth):
                blocks.append(Block(inside, width, 2 if number and not step else 1, **block))
                inside = width
            self.add_module(name := f"stage{number}", nn.Sequential(*blocks))
            self.stages.append(name)
        self.width = inside
        self.head = PoolHead(inside, classes, pool)
        apply_named(self._start, self)

    @staticmethod
    def _start(module: nn.Module, name: str = "") -> None:
        if isinstance(module, nn.Linear):
            nn.init.constant_(module.bias, 0.0)
        elif hasattr(module, "quiet"):
            module.quiet()

    def reset_head(self, classes: int) -> None:
        self.head = PoolHead(self.width, classes)

    def features(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        for name in self.stages:
            stage = getattr(self, name)
            if self.memory_saving and not torch.jit.is_scripting():
                x = checkpointed(stage, x)
            else:
                x = stage(x)
        return x

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.features(x))


def _block_net(name: str, pretrained: bool = False, tag: str = "", **kwargs: Any) -> BlockNet:
    return assemble(BlockNet, f"{name}.{tag}" if tag else name, pretrained, **kwargs)


@register
def block_tiny(pretrained: bool = False, **kwargs: Any) -> BlockNet:
    return _block_net("block_tiny", pretrained, **dict(dict(depths=(1, 2)), **kwargs))


@register
def block_same(pretrained=False, **kwargs):
    return _block_net("block_same", pretrained, padding="same", act="tanh_gate", pool="both", **kwargs)


@register
def block_deep(pretrained=False, **kwargs):
    return _block_net("block_deep", pretrained, stem="deep", norm="batch_act", act="soft_step", **kwargs)
