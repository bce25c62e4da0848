# SPDX-License-Identifier: GPL-3.0-or-later
# Graph, and what sources mention of torch.fx.graph.
from torch._outside import outside
from torch.fx._tracer import Graph

__getattr__ = outside(__name__)
