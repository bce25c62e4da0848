# SPDX-License-Identifier: GPL-3.0-or-later
# GraphModule, and what sources mention of torch.fx.graph_module.
from torch._outside import outside
from torch.fx._tracer import GraphModule

__getattr__ = outside(__name__)
