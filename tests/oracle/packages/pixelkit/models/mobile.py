# SPDX-License-Identifier: GPL-3.0-or-later
# Wide inside, narrow between: a network for small machines, planned by a table of dataclasses.
import copy
import math
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, List, Optional, Sequence

from torch import Tensor, nn

from ..ops import ConvUnit, DropPath, Squeeze
from .registry import register

__all__ = ["MobilePlan", "Mobile", "mobile_slim", "mobile_broad"]


def _whole(value: float, unit: int = 2, least: Optional[int] = None) -> int:
    """The next multiple of `unit`, never below `least`."""
    if least is None:
        least = unit
    return max(least, math.ceil(value / unit) * unit)


@dataclass
class _Scaled:
    ratio: float
    kernel: int
    stride: int
    inside: int
    outside: int
    repeat: int

    @staticmethod
    def scaled(channels: int, by: float) -> int:
        return _whole(channels * by, 2, None)


@dataclass
class MobilePlan(_Scaled):
    wide: float = 1.0
    deep: float = 1.0
    block: Optional[Callable[..., nn.Module]] = None

    def __post_init__(self) -> None:
        self.inside = self.scaled(self.inside, self.wide)
        self.outside = self.scaled(self.outside, self.wide)
        self.repeat = int(math.ceil(self.repeat * self.deep))
        if self.block is None:
            self.block = Inverted


class Inverted(nn.Module):
    def __init__(self, plan: MobilePlan, chance: float, norm: Callable[..., nn.Module],
                 squeeze: Callable[..., nn.Module] = Squeeze):
        super().__init__()
        if not (1 <= plan.stride <= 2):
            raise ValueError("a stride is 1 or 2")
        self.keeps = plan.stride == 1 and plan.inside == plan.outside
        layers: List[nn.Module] = []
        inner = plan.scaled(plan.inside, plan.ratio)
        if inner != plan.inside:
            layers.append(ConvUnit(plan.inside, inner, 1, norm=norm, act=nn.SiLU))
        layers.append(ConvUnit(inner, inner, plan.kernel, plan.stride, groups=inner, norm=norm, act=nn.SiLU))
        layers.append(squeeze(inner, max(1, plan.inside // 4), act=partial(nn.SiLU, inplace=True)))
        layers.append(ConvUnit(inner, plan.outside, 1, norm=norm, act=None))
        self.block = nn.Sequential(*layers)
        self.drop = DropPath(chance, "row")

    def forward(self, x: Tensor) -> Tensor:
        result = self.block(x)
        if self.keeps:
            result = self.drop(result)
            result += x
        return result


class Mobile(nn.Module):
    def __init__(self, plans: Sequence[MobilePlan], classes: int = 3, chance: float = 0.2, norm: Optional[Callable] = None):
        super().__init__()
        if not isinstance(plans, Sequence) or not all(isinstance(plan, MobilePlan) for plan in plans):
            raise TypeError("plans is a list of MobilePlan")
        norm = norm or nn.BatchNorm2d
        layers: List[nn.Module] = [ConvUnit(3, plans[0].inside, stride=2, norm=norm, act=nn.SiLU)]
        total, done = sum(plan.repeat for plan in plans), 0
        for plan in plans:
            stage: List[nn.Module] = []
            for _ in range(plan.repeat):
                own = copy.copy(plan)
                if stage:
                    own.inside, own.stride = own.outside, 1
                stage.append(own.block(own, chance * float(done) / total, norm))
                done += 1
            layers.append(nn.Sequential(*stage))
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Sequential(nn.Dropout(p=chance, inplace=True), nn.Linear(plans[-1].outside, classes))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.pool(self.features(x)).flatten(1))


def _plans(**scale: float) -> List[MobilePlan]:
    plan = partial(MobilePlan, **scale)
    return [plan(1, 3, 1, 4, 4, 1), plan(2.0, 3, 2, 4, 6, 2), plan(3, 5, 2, 6, 8, 1)]


@register()
def mobile_slim(**options: Any) -> Mobile:
    return Mobile(_plans(), **options)


@register()
def mobile_broad(**options: Any) -> Mobile:
    return Mobile(_plans(wide=1.5, deep=1.2), norm=partial(nn.BatchNorm2d, eps=1e-3), **options)
