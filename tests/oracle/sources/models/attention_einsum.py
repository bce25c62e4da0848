# SPDX-License-Identifier: GPL-3.0-or-later
# Attention by einsum with weights as parameters, several masks as arguments.
# case: {"expr": "EinsumAttention(6, 3, 2)", "inputs": "torch.randn(2, 4, 6), torch.ones(2, 4, dtype=torch.bool)"}
# case: {"expr": "EinsumAttention(6, 3, 2)", "inputs": "torch.randn(2, 4, 6), None", "concrete": {"mask": "None"}}

import torch
from torch import nn, einsum


class EinsumAttention(nn.Module):
    def __init__(self, dim, heads, head_dim):
        super().__init__()
        for name in "qkv":
            self.register_parameter(f"w_{name}", nn.Parameter(torch.randn(dim, heads, head_dim) / dim))
        self.w_o = nn.Parameter(torch.randn(heads, head_dim, dim))

    def forward(self, x, mask=None):
        q, k, v = [einsum("btd,dhe->bhte", x, getattr(self, f"w_{n}")) for n in "qkv"]
        sim = einsum("bhie, bhje -> bhij", q, k) * q.shape[-1] ** -0.5
        if mask is not None:
            sim = sim.masked_fill(~mask[:, None, None], -torch.finfo(torch.float).max)
        attn = sim.softmax(dim=-1) - 0.0
        return einsum("bhij,bhjd,hde->bie", attn, v, self.w_o)
