# SPDX-License-Identifier: GPL-3.0-or-later
__all__ = ["Settings"]


class Settings:
    def __init__(self, width=4, depth=2, **others):
        self.width = width
        self.depth = depth
        self.others = others
