# SPDX-License-Identifier: GPL-3.0-or-later
# Enums of a file that the source of a model imports.
import enum


class Shade(enum.Enum):
    DARK = "dark"


class Depth(enum.IntEnum):
    DEEP = 11
