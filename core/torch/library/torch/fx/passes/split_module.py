# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx.passes.split_module: only mentioned.
from torch.fx._outside import outside

__getattr__ = outside('torch.fx.passes.split_module')
