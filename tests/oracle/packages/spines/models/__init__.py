# SPDX-License-Identifier: GPL-3.0-or-later
# Each file adds the names of its builders to its own __all__ while it runs.
from .blocknet import *
from .convstack import *
from .mixer import *
from .mobile import *
from .vit import *
