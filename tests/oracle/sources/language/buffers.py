# SPDX-License-Identifier: GPL-3.0-or-later
# Buffers as arguments, as left operands, in functions, changed, not persistent, None.
# case: {"expr": "Buffers()", "inputs": "torch.randn(3)"}
# case: {"expr": "Buffers()", "inputs": "torch.randn(3)", "tracer": {"proxy_buffer_attributes": "True"}}

import torch
from torch import nn


class Buffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("a", torch.arange(3.0))
        self.register_buffer("b", torch.ones(3), persistent=False)
        self.register_buffer("none", None)
        self.plain = torch.tensor([1.0, 2.0, 3.0])
        self.inner = nn.Module()
        self.inner.register_buffer("deep", torch.full((3,), 0.5))
        self.inner.stuff = torch.zeros(3)

    def forward(self, x):
        y = x + self.a
        z = self.a + x
        z = z * self.b
        z = self.b * z - self.a
        w = torch.add(x, self.plain)
        v = self.plain - x
        u = self.inner.deep * x + self.inner.stuff
        t = x @ self.a
        if self.none is None:
            t = t + (self.a * self.b).sum()
        s = torch.where(x > 0, self.a, self.b)
        return y, z, w, v, u, t, s, self.a.shape[0], self.a.dtype
