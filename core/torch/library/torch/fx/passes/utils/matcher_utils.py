# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx.passes.utils.matcher_utils: only mentioned.
from torch.fx._outside import outside

__getattr__ = outside('torch.fx.passes.utils.matcher_utils')
