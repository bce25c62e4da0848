# SPDX-License-Identifier: GPL-3.0-or-later
# torch.fx.graph_module: only mentioned.
from torch.fx._outside import outside
from torch.fx._tracer import GraphModule

__getattr__ = outside('torch.fx.graph_module')
