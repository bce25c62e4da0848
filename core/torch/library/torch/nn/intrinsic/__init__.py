# SPDX-License-Identifier: GPL-3.0-or-later
# The former name of torch.ao.nn.intrinsic.
from torch.ao.nn.intrinsic import *
from torch.ao.nn.intrinsic import qat, quantized
