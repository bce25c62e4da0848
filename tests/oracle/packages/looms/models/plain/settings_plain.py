# SPDX-License-Identifier: GPL-3.0-or-later
from ...settings import Settings

__all__ = ["PlainConfig"]


class PlainConfig(Settings):
    pass
