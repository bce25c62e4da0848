# SPDX-License-Identifier: GPL-3.0-or-later
# All modules under one name, as torch.nn offers them.
from . import (activation, adaptive, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm,
               linear, linear_cross_entropy_options, loss, normalization, padding, pixelshuffle, pooling, rnn, sparse,
               transformer, upsampling)
from .module import Module
from .activation import *
from .adaptive import *
from .batchnorm import *
from .channelshuffle import *
from .container import *
from .conv import *
from .distance import *
from .dropout import *
from .flatten import *
from .fold import *
from .instancenorm import *
from .linear import *
from .linear_cross_entropy_options import *
from .loss import *
from .normalization import *
from .padding import *
from .pixelshuffle import *
from .pooling import *
from .rnn import *
from .sparse import *
from .transformer import *
from .upsampling import *

__all__ = ['Module']
for _part in (activation, adaptive, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm,
              linear, linear_cross_entropy_options, loss, normalization, padding, pixelshuffle, pooling, rnn, sparse,
              transformer, upsampling):
    __all__ += _part.__all__
__all__.sort()
