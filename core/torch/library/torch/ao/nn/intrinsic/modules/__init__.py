# SPDX-License-Identifier: GPL-3.0-or-later
# Fused layers of floats.
from .fused import *
from .fused import _FusedModule
