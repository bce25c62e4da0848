# SPDX-License-Identifier: GPL-3.0-or-later
# The former name of torch.ao.quantization.
from torch.ao.quantization import *
