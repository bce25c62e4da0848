# SPDX-License-Identifier: GPL-3.0-or-later
# Four paths side by side, and a second opinion from half way up while the network learns.
from collections import namedtuple
from functools import partial
from typing import Any, Callable, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ..ops import ConvUnit
from .registry import register

__all__ = ["Branchy", "BranchyOutputs", "_BranchyOutputs", "branchy_net"]

BranchyOutputs = namedtuple("BranchyOutputs", ["main", "side"])
BranchyOutputs.__annotations__ = {"main": Tensor, "side": Optional[Tensor]}

# Kept for files that still ask for the old name.
_BranchyOutputs = BranchyOutputs


class Branches(nn.Module):
    def __init__(self, inside: int, *sizes: int, unit: Optional[Callable[..., nn.Module]] = None) -> None:
        super().__init__()
        unit = unit or ConvUnit
        one, three, five, pooled = sizes
        self.path1 = unit(inside, one, kernel=1)
        across, down = (partial(unit, kernel=kernel) for kernel in ((1, 3), (3, 1)))
        self.path2 = nn.Sequential(unit(inside, three, kernel=1), across(three, three), down(three, three))
        self.path3 = nn.Sequential(unit(inside, five, kernel=1), unit(five, five, kernel=5))
        self.path4 = nn.Sequential(nn.MaxPool2d(3, stride=1, padding=1, ceil_mode=True), unit(inside, pooled, kernel=1))

    def _paths(self, x: Tensor) -> List[Tensor]:
        return [path(x) for path in (self.path1, self.path2, self.path3, self.path4)]

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat(self._paths(x), 1)


class Side(nn.Module):
    def __init__(self, inside: int, classes: int):
        super().__init__()
        self.unit = ConvUnit(inside, 4, kernel=1)
        self.head = nn.Linear(16, classes)

    def forward(self, x: Tensor) -> Tensor:
        x = self.unit(F.adaptive_avg_pool2d(x, (2, 2)))
        return self.head(F.relu(torch.flatten(x, 1), inplace=True))


class Branchy(nn.Module):
    __constants__ = ["has_side", "shift"]

    def __init__(self, classes: int = 3, has_side: bool = True, shift: bool = False, blocks: Optional[List[Callable]] = None):
        super().__init__()
        unit, branches, side = blocks or [ConvUnit, Branches, Side]
        self.has_side, self.shift = has_side, shift
        self.enter = unit(3, 6, kernel=3, stride=2)
        self.low = branches(6, 2, 3, 2, 1)
        self.high = branches(8, 4, 4, 2, 2)
        if has_side:
            self.side = side(8, classes)
        else:
            self.side = None
        self.head = nn.Linear(12, classes)

    def _shifted(self, x: Tensor) -> Tensor:
        if self.shift:
            parts = [torch.unsqueeze(x[:, c], 1) * (0.5 + c / 8) + (c - 1) / 4 for c in range(3)]
            x = torch.cat(parts, 1)
        return x

    def _forward(self, x: Tensor) -> Tuple[Tensor, Optional[Tensor]]:
        x = self.low(self.enter(x))
        side: Optional[Tensor] = None
        if self.side is not None:
            if self.training:
                side = self.side(x)
        x = self.high(F.max_pool2d(x, 2))
        return self.head(x.mean((2, 3))), side

    @torch.jit.unused
    def eager_outputs(self, x: Tensor, side: Optional[Tensor]) -> BranchyOutputs:
        return BranchyOutputs(x, side) if self.training and self.has_side else x

    def forward(self, x: Tensor) -> BranchyOutputs:
        x, side = self._forward(self._shifted(x))
        learning = self.training and self.has_side
        if torch.jit.is_scripting():
            if not learning:
                print("scripted networks always give a pair")
            return BranchyOutputs(x, side)
        else:
            return self.eager_outputs(x, side)


@register()
def branchy_net(**options: Any) -> Branchy:
    return Branchy(**options)
