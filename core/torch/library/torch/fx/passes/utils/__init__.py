# SPDX-License-Identifier: GPL-3.0-or-later
# What the passes share: subgraphs as modules, and whether two graphs are the same.
from torch.fx.passes.utils.common import HolderModule, compare_graphs, lift_subgraph_as_module
