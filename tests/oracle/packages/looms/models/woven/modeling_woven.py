# SPDX-License-Identifier: GPL-3.0-or-later
import torch

import looms

from ... import Settings
from ..plain import PlainModel
from .settings_woven import WovenConfig

__all__ = ["WovenModel"]


class WovenModel(PlainModel):
    config: WovenConfig

    def forward(self, x):
        assert isinstance(self.config, (Settings, looms.WovenConfig))
        return super().forward(x) * self.config.twist - torch.sin(x)
