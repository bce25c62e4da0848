# SPDX-License-Identifier: GPL-3.0-or-later
# A source that uses a library whose names its own files say.
import looms
from looms import PlainModel, WovenConfig
from torch import nn

try:
    from looms import Loom
except ImportError:
    Loom = None


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = PlainModel(looms.PlainConfig(depth=1))
        self.second = looms.models.WovenModel(WovenConfig())

    def forward(self, x):
        return self.first(x) + self.second(x) if Loom is None else x
