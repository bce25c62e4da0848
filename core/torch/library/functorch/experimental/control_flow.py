# SPDX-License-Identifier: GPL-3.0-or-later
# functorch.experimental.control_flow: older names of torch's higher order operators.
from torch import cond
from torch._outside import outside

__getattr__ = outside(__name__)
