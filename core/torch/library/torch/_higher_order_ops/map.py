# SPDX-License-Identifier: GPL-3.0-or-later
import torch

map_impl = torch.ops.higher_order.map_impl
