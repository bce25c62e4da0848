# SPDX-License-Identifier: GPL-3.0-or-later
import torch

wrap = torch.ops.higher_order.wrap
wrap_with_set_grad_enabled = torch.ops.higher_order.wrap_with_set_grad_enabled
wrap_with_autocast = torch.ops.higher_order.wrap_with_autocast
wrap_activation_checkpoint = torch.ops.higher_order.wrap_activation_checkpoint
tag_activation_checkpoint = torch.ops.higher_order.tag_activation_checkpoint
