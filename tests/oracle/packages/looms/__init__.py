# SPDX-License-Identifier: GPL-3.0-or-later
# A library that looks at its own files to know what it offers: no table says where a name is defined.
import os
import sys
from typing import TYPE_CHECKING

from .lazy import LazyModule, found_in

if TYPE_CHECKING:
    from .models import *
    from .settings import *
else:
    sys.modules[__name__] = LazyModule(__name__, globals()["__file__"], found_in(os.path.dirname(__file__)), __spec__)
