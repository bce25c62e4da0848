# SPDX-License-Identifier: GPL-3.0-or-later
# Names that a neighbour imports by star; one of them is wrapped here.

import torch
import torch.fx
from torch import nn

__all__ = ["star_function"]
FACTOR = 3


def star_function(x):
    return x * FACTOR


@torch.fx.wrap
def wrapped(x, n):
    return x * n if x.sum() > 0 else x


class Scaled(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return wrapped(self.inner(x), n=FACTOR)
