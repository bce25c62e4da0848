# SPDX-License-Identifier: GPL-3.0-or-later
# Fused layers of quantized tensors.
from . import dynamic
from .modules import *
