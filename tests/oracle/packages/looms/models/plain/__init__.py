# SPDX-License-Identifier: GPL-3.0-or-later
import os
import sys
from typing import TYPE_CHECKING

from ...lazy import LazyModule, found_in

if TYPE_CHECKING:
    from .modeling_plain import *
    from .settings_plain import *
else:
    sys.modules[__name__] = LazyModule(__name__, globals()["__file__"], found_in(os.path.dirname(__file__)), __spec__)
