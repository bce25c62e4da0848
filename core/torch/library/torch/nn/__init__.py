# SPDX-License-Identifier: GPL-3.0-or-later
# What `torch.nn` offers.
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter
from .modules import *
from . import functional, init, modules, parameter, utils
