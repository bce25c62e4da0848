# SPDX-License-Identifier: GPL-3.0-or-later
# Fused layers of quantized weights that take and give floats.
from .modules import *
