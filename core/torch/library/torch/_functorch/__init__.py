# SPDX-License-Identifier: GPL-3.0-or-later
# What torch.func is made of.
import torch._functorch.predispatch as predispatch
