# SPDX-License-Identifier: GPL-3.0-or-later
"""What torch.export records of torch.vmap."""

import torch
from torch import nn


class Mapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 2)

    def forward(self, x, y):
        a = torch.vmap(lambda v: v.sum() * v)(x)
        b = torch.vmap(torch.mul, in_dims=(None, 1))(x[:, 0], y)
        c = torch.vmap(torch.vmap(torch.dot, (None, 0)), (0, None))(x, x)
        d = torch.vmap(lambda v: torch.softmax(self.lin(v), 0))(x)
        return a, b, c, d


def cases():
    yield "mapped", Mapped(), [torch.randn(4, 3), torch.randn(4, 3)], {"export": True, "seed": 5}
    yield "mapped_in_no_grad", Mapped(), [torch.randn(4, 3), torch.randn(4, 3)], {"export": True, "seed": 6, "grad": "no_grad"}
