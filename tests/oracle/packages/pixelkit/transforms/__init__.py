# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that turns a picture into another, by star.
from .functional import *
from .presets import *
