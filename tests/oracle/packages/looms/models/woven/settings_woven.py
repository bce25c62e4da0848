# SPDX-License-Identifier: GPL-3.0-or-later
from ...settings import Settings

__all__ = ["WovenConfig"]


class WovenConfig(Settings):
    twist = 0.5
