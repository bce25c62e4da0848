# SPDX-License-Identifier: GPL-3.0-or-later
import torch

scan_op = torch.ops.higher_order.scan
