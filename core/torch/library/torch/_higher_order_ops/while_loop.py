# SPDX-License-Identifier: GPL-3.0-or-later
import torch

while_loop_op = torch.ops.higher_order.while_loop
while_loop = torch.while_loop
