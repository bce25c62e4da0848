# SPDX-License-Identifier: GPL-3.0-or-later
# All of them.
from .bn_relu import *
from .conv_add import *
from .conv_relu import *
from .linear_relu import *

__all__ = ['LinearReLU', 'ConvReLU1d', 'ConvReLU2d', 'ConvReLU3d', 'BNReLU2d', 'BNReLU3d', 'LinearLeakyReLU', 'LinearTanh',
           'ConvAdd2d', 'ConvAddReLU2d']
