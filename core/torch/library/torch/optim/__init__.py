# SPDX-License-Identifier: GPL-3.0-or-later
# torch.optim: averaged models. Optimizers are refused, as training is done in Python.
from torch._outside import outside

from . import swa_utils

__getattr__ = outside(__name__)
