# SPDX-License-Identifier: GPL-3.0-or-later
# All modules under one name, as torch.nn offers them.
from .module import Module
from .linear import *
from .activation import *
from .container import *
from .conv import *
from .batchnorm import *
from .dropout import *
from .flatten import *
from .instancenorm import *
from .normalization import *
from .pooling import *
