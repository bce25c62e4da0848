# SPDX-License-Identifier: GPL-3.0-or-later
import torch

strict_mode_op = torch.ops.higher_order.strict_mode
