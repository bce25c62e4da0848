# SPDX-License-Identifier: GPL-3.0-or-later
# The former name of torch.ao.nn.qat.
from torch.ao.nn.qat import *
from torch.ao.nn.qat import dynamic
