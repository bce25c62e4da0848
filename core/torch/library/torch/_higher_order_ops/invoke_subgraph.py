# SPDX-License-Identifier: GPL-3.0-or-later
import torch

invoke_subgraph = torch.ops.higher_order.invoke_subgraph
