# SPDX-License-Identifier: GPL-3.0-or-later
import torch

cond_op = torch.ops.higher_order.cond
cond = torch.cond
