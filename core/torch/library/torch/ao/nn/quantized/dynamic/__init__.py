# SPDX-License-Identifier: GPL-3.0-or-later
# Modules of quantized weights that take and give floats.
from .modules import *
