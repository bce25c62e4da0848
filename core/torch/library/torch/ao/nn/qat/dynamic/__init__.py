# SPDX-License-Identifier: GPL-3.0-or-later
# Layers that are trained for quantization by the range of each input.
from .modules import *
