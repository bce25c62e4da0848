# SPDX-License-Identifier: GPL-3.0-or-later
# A parameter's dtype in a list of dtypes, as half precision layers ask.
# case: {"expr": "Norm(4)", "fails": "error"}

import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))

    def forward(self, x):
        if self.weight.dtype in [torch.float16, torch.bfloat16]:
            x = x.to(self.weight.dtype)
        return self.weight * x
