# SPDX-License-Identifier: GPL-3.0-or-later
# The former name of torch.ao.nn.quantized.dynamic.
from torch.ao.nn.quantized.dynamic import *
