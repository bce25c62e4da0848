# SPDX-License-Identifier: GPL-3.0-or-later
# Going over parameters, buffers and modules by their iterators while tracing.
# case: {"expr": "Net()", "inputs": "torch.randn(2, 3)"}

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3, bias=False)
        self.register_buffer("c", torch.ones(3))

    def forward(self, x):
        names = [n for n, _ in self.named_parameters()]
        count = sum(1 for _ in self.modules())
        for p in self.b.parameters():
            x = x @ p
        for name, buf in self.named_buffers():
            x = x + buf
        for name, m in self.named_modules():
            if isinstance(m, nn.Linear) and name != "b":
                x = m(x)
        decay = 0.0
        for p in self.parameters():
            decay = decay + (p**2).sum()
        return x, decay, names, count, self.get_buffer("c") + x, self.get_submodule("b")(x)
