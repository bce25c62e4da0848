# SPDX-License-Identifier: GPL-3.0-or-later
# torch.optim: averages of weights, which are models. Optimizers train, which is done in Python.
from torch._outside import outside

from . import swa_utils

__getattr__ = outside(__name__)
