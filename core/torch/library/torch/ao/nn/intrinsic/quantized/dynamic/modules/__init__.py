# SPDX-License-Identifier: GPL-3.0-or-later
# All of them.
from .linear_relu import LinearReLU

__all__ = ['LinearReLU']
