# SPDX-License-Identifier: GPL-3.0-or-later
# functorch.experimental: older names, still.
from functorch import functionalize
from torch.func import hessian, jacfwd, jvp
from torch._outside import outside

__getattr__ = outside(__name__)
