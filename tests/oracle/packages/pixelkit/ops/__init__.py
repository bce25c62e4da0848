# SPDX-License-Identifier: GPL-3.0-or-later
# Layers and functions that several networks share.
from .drop import DropPath, drop_path
from .squeeze import ConvUnit, FrozenNorm, Squeeze, native_sum, pool_all

__all__ = ["DropPath", "drop_path", "ConvUnit", "FrozenNorm", "Squeeze", "native_sum", "pool_all"]
