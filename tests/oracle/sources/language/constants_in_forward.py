# SPDX-License-Identifier: GPL-3.0-or-later
# Tensors made while tracing become constants of the root.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 2)"}
# case: {"expr": "forward", "inputs": "torch.randn(3)"}

import torch
from torch import nn

MEAN = torch.tensor([0.5, 0.25, 0.125])
EYE = torch.eye(3)


class Net(nn.Module):
    def forward(self, x):
        ones = torch.ones(2)
        y = x + ones
        y = y * torch.tensor(2.0)
        y = y - torch.full((2, 2), 0.5)
        z = torch.cat([x, torch.zeros(1, 2)], 0)
        y = y + ones
        idx = torch.tensor([0, 1])
        y = y[:, idx] + torch.arange(2) * torch.linspace(0, 1, steps=2)
        w = torch.nn.functional.pad(ones, (1, 1))
        mask = torch.ones(2, 2).bool()
        return y.masked_fill(mask, 0.0), z, w.sum() * x


def forward(x):
    x = (x - MEAN) / MEAN
    y = EYE @ x
    z = torch.mv(EYE, y)
    return z.new_tensor(1.0) + MEAN[0] * z, MEAN
