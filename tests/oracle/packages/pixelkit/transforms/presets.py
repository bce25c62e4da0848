# SPDX-License-Identifier: GPL-3.0-or-later
# Transforms as modules, and the chain that a weight asks for.
from typing import Optional, Sequence

import torch
from torch import nn

from . import functional as F

__all__ = ["Standardize", "Frame", "Chain", "Preset"]


class Standardize(nn.Module):
    def __init__(self, mean, deviation):
        super().__init__()
        self.mean, self.deviation = list(mean), list(deviation)

    def forward(self, picture):
        return F.standardize(picture, self.mean, self.deviation)

    def __repr__(self):
        return f"{self.__class__.__name__}(mean={self.mean}, deviation={self.deviation})"


class Frame(nn.Module):
    def __init__(self, width, value=None):
        super().__init__()
        self.width, self.value = F.side_lengths(width, what="width"), value

    def forward(self, picture):
        return F.frame(picture, self.width, self.value)


class Chain:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, picture):
        for step in self.steps:
            picture = step(picture)
        return picture


class Preset(nn.Module):
    """What a picture goes through before a network sees it."""

    def __init__(self, *, frame: int = 0, mean: Sequence[float] = (0.5,) * 3, deviation: Sequence[float] = (0.25,) * 3,
                 mirror: Optional[bool] = None):
        super().__init__()
        self.steps = nn.ModuleList([Frame(frame), Standardize(mean, deviation)])
        self.chain = Chain(*self.steps)
        self.mirror = bool(mirror)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        picture = self.chain(picture)
        return F.flip(picture) if self.mirror else picture
