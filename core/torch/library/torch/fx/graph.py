# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx.graph: only mentioned.
from torch.fx._outside import outside
from torch.fx._tracer import Graph

__getattr__ = outside('torch.fx.graph')
