# SPDX-License-Identifier: GPL-3.0-or-later
# A function of the package's package.

from . import math_helpers as _helpers


def clamp_all(*tensors, low):
    return [t.clamp(min=low, max=_helpers.LIMIT) for t in tensors]
