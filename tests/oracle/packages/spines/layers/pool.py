# SPDX-License-Identifier: GPL-3.0-or-later
# Ways to lay out a picture, and ways to make one row of all its places. Both are words.
from enum import Enum
from typing import Callable, Dict

import torch
from torch import nn


class Layout(str, Enum):
    NCHW = "NCHW"
    NHWC = "NHWC"
    NLC = "NLC"

    def __str__(self) -> str:
        return str(self.value).lower()


class Pool(str, Enum):
    MEAN = "mean"
    MOST = "most"
    FIRST = "first"
    BOTH = "both"

    def __str__(self):
        return f"pool-{self.value}"


_PLACES = {Layout.NCHW: (2, 3), Layout.NHWC: (1, 2), "NLC": 1}

_POOLS: Dict[str, Callable[[torch.Tensor, Layout], torch.Tensor]] = {
    "mean": lambda x, layout: x.mean(_PLACES[layout]),
    "most": lambda x, layout: x.amax(_PLACES[layout]),
    "first": lambda x, layout: x[:, 0],
    "both": lambda x, layout: 0.5 * (_POOLS["mean"](x, layout) + _POOLS["most"](x, layout)),
}

_ROWS = {
    Layout.NCHW: lambda x: x.flatten(2).transpose(1, 2),
    Layout.NHWC: lambda x: x.flatten(1, 2),
    Layout.NLC: lambda x: x,
}


def pooled(x: torch.Tensor, how="mean", layout="NCHW") -> torch.Tensor:
    return _POOLS[Pool(how).value](x, Layout(layout))


def rows_of(x: torch.Tensor, layout: Layout) -> torch.Tensor:
    return _ROWS[layout](x)


class PoolHead(nn.Module):
    def __init__(self, width: int, classes: int, how: str = "mean", layout: str = "NCHW"):
        super().__init__()
        self.how, self.layout = Pool(how), Layout(layout)
        self.fc = nn.Linear(width, classes) if classes > 0 else nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc(pooled(x, self.how, self.layout))

    def extra_repr(self) -> str:
        return f"{self.how}, {self.layout}"
