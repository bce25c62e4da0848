# SPDX-License-Identifier: GPL-3.0-or-later
# The former name of torch.ao.nn.quantized.
from torch.ao.nn.quantized import *
from torch.ao.nn.quantized import MaxPool2d, functional
from . import dynamic
