# SPDX-License-Identifier: GPL-3.0-or-later
import torch

hints_wrapper = torch.ops.higher_order.hints_wrapper
