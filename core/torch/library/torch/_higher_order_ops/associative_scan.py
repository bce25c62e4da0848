# SPDX-License-Identifier: GPL-3.0-or-later
import torch

associative_scan_op = torch.ops.higher_order.associative_scan
