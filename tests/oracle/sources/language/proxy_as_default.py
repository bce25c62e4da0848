# SPDX-License-Identifier: GPL-3.0-or-later
# Optional tensors that are made when they are not given, and numbers of several kinds.
# case: {"expr": "Cell(3, 4)", "inputs": "torch.randn(2, 3), None", "concrete": {"state": "None"}}
# case: {"expr": "Cell(3, 4)", "inputs": "torch.randn(2, 3), torch.randn(2, 4)"}
# case: {"expr": "numbers", "inputs": "torch.ones(2)"}

import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.w = nn.Linear(n_in, n_out)
        self.u = nn.Linear(n_out, n_out, bias=False)
        self.n = n_out

    def forward(self, x, state=None):
        if state is None:
            state = torch.zeros(x.size(0), self.n) if False else x.new_zeros((x.size(0), self.n))
        return torch.tanh(self.w(x) + self.u(state))


def numbers(x):
    a = x * 1e-8 + 1.0e16 + 123456789.123456789 + 1e22 + 0.1 + 1 / 3
    b = x * -0.0 + float("-inf") * 0.0 + 5e-324 + 1.7976931348623157e308
    c = x + 2**62 - (-(2**63)) % 7 + True
    d = x * (1 + 2j) + 1j - (-1j) * 0.5
    return a, b, c, d, torch.full_like(x, float("nan"))
