# SPDX-License-Identifier: GPL-3.0-or-later
# Arithmetic with sizes, and what asks for them.
# case: {"expr": "Shapes()", "inputs": "torch.randn(2, 3, 4)"}

import torch
from torch import nn


class Shapes(nn.Module):
    def forward(self, x):
        b, t, c = x.shape
        n = x.size(-1) // 2
        flat = x.view(b * t, c)
        same = x.reshape(*[x.shape[0], -1])
        dims = x.dim()
        wide = x.expand(2, b, t, c)
        total = x.numel() / x.shape.numel()
        halves = flat[:, :n], flat[:, n:]
        like = torch.zeros(x.shape, dtype=x.dtype, device=x.device)
        size = x.size()
        last = size[-1]
        return same, halves, like, x.new_ones((b, last)), wide.shape[0] + 1, total, dims, x.ndim, x.size(0), x.stride()
