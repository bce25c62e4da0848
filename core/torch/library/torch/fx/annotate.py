# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx.annotate: only mentioned.
from torch.fx._outside import outside

__getattr__ = outside('torch.fx.annotate')
