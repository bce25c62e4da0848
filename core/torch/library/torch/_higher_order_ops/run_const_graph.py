# SPDX-License-Identifier: GPL-3.0-or-later
import torch

run_const_graph = torch.ops.higher_order.run_const_graph
