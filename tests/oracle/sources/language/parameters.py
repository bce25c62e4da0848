# SPDX-License-Identifier: GPL-3.0-or-later
# Parameters that are shaped, sliced, multiplied, asked for sizes and passed on.
# case: {"expr": "Params(3, 4)", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "Params(3, 4)", "inputs": "torch.randn(2, 3)", "tracer": {"param_shapes_constant": "True"}}

import torch
from torch import nn


def project(x, weight, bias=None):
    y = torch.matmul(x, weight)
    return y if bias is None else y + bias


class Params(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n, m))
        self.bias = nn.Parameter(torch.zeros(m))
        self.frozen = nn.Parameter(torch.ones(m), requires_grad=False)
        self.scalar = nn.Parameter(torch.tensor(1.5))
        self.register_parameter("absent", None)
        nn.init.xavier_normal_(self.weight)

    def forward(self, x):
        n, m = self.weight.shape
        y = project(x, self.weight, self.bias)
        y = y * self.frozen[None] + self.scalar
        y = y / self.weight.size()[1] + self.weight.norm()
        z = self.weight.t() @ x.t()
        w = self.weight[:, 0] + self.bias.data[0]
        if self.absent is not None:
            y = y + self.absent
        flat = torch.cat([p.flatten() for p in (self.weight, self.bias)])
        return y, z, w, flat, n * m, self.weight.dim(), self.weight.numel()
