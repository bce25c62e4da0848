# SPDX-License-Identifier: GPL-3.0-or-later
# In-place methods, out variants by slices, methods with underscore.
# case: {"expr": "forward", "inputs": "torch.randn(2, 3), torch.randn(2, 3)"}
# case: {"expr": "results_dropped", "inputs": "torch.randn(2, 3)"}

import torch
import torch.nn.functional as F


def forward(x, y):
    x = x.clone()
    x.add_(y).mul_(2)
    x.clamp_(min=-1, max=1)
    y = F.relu(y, inplace=True)
    z = torch.relu_(x.abs_())
    z.zero_().fill_(3.0)
    x.data.copy_(y)
    w = F.relu_(y) + F.elu_(x, 0.5) + F.threshold_(z, 0.1, 20)
    return torch.sigmoid_(w), x, z.sub_(1, alpha=2)


def results_dropped(x):
    h = x + 1
    h.relu_()
    h.unsqueeze_(0)
    x.detach()
    return h
