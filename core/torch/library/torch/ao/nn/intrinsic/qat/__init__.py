# SPDX-License-Identifier: GPL-3.0-or-later
# Fused layers of rounded weights.
from .modules import *
