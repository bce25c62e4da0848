# SPDX-License-Identifier: GPL-3.0-or-later
# A residual network. Its stages are kept by name, not in a list, and the norm is any function of a channel count.
from functools import partial
from typing import Any, Callable, List, Optional, Type, Union

import torch
import torch.nn as nn
from torch import Tensor

from ..ops import FrozenNorm
from ..transforms.presets import Preset
from .registry import Checkpoint, Checkpoints, filled, register, settle, weighted

__all__ = ["ResNet", "ResNetMicro_Checkpoints", "resnet_micro", "resnet_deep", "resnet_frozen"]


def conv3(inside: int, outside: int, stride: int = 1, groups: int = 1, spread: int = 1) -> nn.Conv2d:
    """Three by three with padding."""
    return nn.Conv2d(inside, outside, kernel_size=3, stride=stride, padding=spread, groups=groups, bias=False, dilation=spread)


class Plain(nn.Module):
    widening: int = 1

    def __init__(self, inside, planes, stride=1, shortcut: Optional[nn.Module] = None, norm=None):
        super().__init__()
        if norm is None:
            norm = nn.BatchNorm2d
        self.first, self.norm1 = conv3(inside, planes, stride), norm(planes)
        self.act = nn.ReLU(inplace=True)
        self.second, self.norm2 = conv3(planes, planes), norm(planes)
        self.shortcut = shortcut
        self.stride = stride

    def forward(self, x: Tensor) -> Tensor:
        kept = x
        out = self.act(self.norm1(self.first(x)))
        out = self.norm2(self.second(out))
        if self.shortcut is not None:
            kept = self.shortcut(x)
        out += kept
        return self.act(out)


class Waist(Plain):
    widening: int = 2

    def __init__(self, inside, planes, stride=1, shortcut=None, norm=None):
        super().__init__(planes, planes, stride, shortcut, norm)
        norm = norm or nn.BatchNorm2d
        self.enter, self.norm0 = nn.Conv2d(inside, planes, 1, bias=False), norm(planes)
        self.leave, self.norm3 = nn.Conv2d(planes, planes * self.widening, 1, bias=False), norm(planes * self.widening)

    def forward(self, x: Tensor) -> Tensor:
        out = self.norm0(self.enter(x)).relu()
        out = self.act(self.norm1(self.first(out)))
        out = self.act(self.norm2(self.second(out)))
        out = self.norm3(self.leave(out))
        return torch.relu(out + (x if self.shortcut is None else self.shortcut(x)))


class ResNet(nn.Module):
    def __init__(self, block: Type[Union[Plain, Waist]], depths: List[int], width: int = 4, classes: int = 3,
                 norm: Optional[Callable[..., nn.Module]] = None, calm: bool = False):
        super().__init__()
        self._norm = norm or nn.BatchNorm2d
        self.inside = width
        self.depths = tuple(depths)
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1, bias=False), self._norm(width), nn.ReLU(inplace=True))
        for number, depth in enumerate(depths, 1):
            setattr(self, f"stage{number}", self._stage(block, width << (number - 1), depth, 1 if number == 1 else 2))
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        self.head = nn.Linear(self.inside, classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(module, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(module.weight, 1)
                nn.init.constant_(module.bias, 0)
        if calm:
            for module in self.modules():
                if isinstance(module, Waist) and module.norm3.weight is not None:
                    nn.init.constant_(module.norm3.weight, 0.5)

    def _stage(self, block, planes: int, depth: int, stride: int) -> nn.Sequential:
        norm, shortcut = self._norm, None
        if stride != 1 or self.inside != planes * block.widening:
            shortcut = nn.Sequential(nn.Conv2d(self.inside, planes * block.widening, 1, stride, bias=False),
                                     norm(planes * block.widening))
        layers = [block(self.inside, planes, stride, shortcut, norm)]
        self.inside = planes * block.widening
        for _ in range(1, depth):
            layers.append(block(self.inside, planes, norm=norm))
        return nn.Sequential(*layers)

    def _forward_impl(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for number in range(1, len(self.depths) + 1):
            x = getattr(self, f"stage{number}")(x)
        x = torch.flatten(self.pool(x), 1)
        return self.head(x)

    def forward(self, x: Tensor) -> Tensor:
        return self._forward_impl(x)


_COMMON = {"size": (16, 16), "labels": ["hill", "lake", "road"]}


class ResNetMicro_Checkpoints(Checkpoints):
    FIRST = Checkpoint(place="own:1", prepare=partial(Preset, frame=1), meta={**_COMMON, "score": 61.5})
    SECOND = Checkpoint(place="own:2", prepare=partial(Preset, frame=2), meta={**_COMMON, "score": 64.0})
    DEFAULT = SECOND


def _resnet(block, depths: List[int], weights: Optional[Checkpoints], **options: Any) -> ResNet:
    if weights is not None:
        settle(options, "classes", len(weights.meta["labels"]))
    return filled(ResNet(block, depths, **options), weights)


@register()
@weighted
def resnet_micro(*, weights: Optional[ResNetMicro_Checkpoints] = None, **options: Any) -> ResNet:
    return _resnet(Plain, [1, 2], ResNetMicro_Checkpoints.take(weights), **options)


@register()
@weighted
def resnet_deep(*, weights: Optional[ResNetMicro_Checkpoints] = None, **options: Any) -> ResNet:
    options.setdefault("norm", partial(nn.BatchNorm2d, eps=1e-3, momentum=0.01))
    return _resnet(Waist, [2, 1, 1], ResNetMicro_Checkpoints.take(weights), **options)


@register(name="resnet_frozen")
def _frozen(**options: Any) -> ResNet:
    return _resnet(Plain, [1, 1], None, norm=FrozenNorm, **options)


resnet_frozen = _frozen
