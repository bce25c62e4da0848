# SPDX-License-Identifier: GPL-3.0-or-later
# All of them.
from .linear import Linear

__all__ = ['Linear']
