# SPDX-License-Identifier: GPL-3.0-or-later
# Layers that are fused with what follows them.
from . import modules
from .modules import *
from .modules.fused import _FusedModule
from . import qat, quantized
