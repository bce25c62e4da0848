# SPDX-License-Identifier: GPL-3.0-or-later
# All modules under one name, as torch.nn offers them.
from .module import Module
from .linear import Bilinear, Identity, LazyLinear, Linear
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
