# SPDX-License-Identifier: GPL-3.0-or-later
# torch.ao: what belongs to quantization.
from . import nn, quantization
