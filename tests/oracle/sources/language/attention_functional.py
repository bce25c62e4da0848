# SPDX-License-Identifier: GPL-3.0-or-later
# The functional form of multi-head attention and friends, called with state of a module.
# case: {"expr": "Net()", "inputs": "torch.randn(4, 2, 8)"}
# case: {"expr": "sdpa", "inputs": "torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 4), torch.randn(1, 2, 3, 4)"}

import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mha = nn.MultiheadAttention(8, 2)

    def forward(self, x):
        out, weights = self.mha(x, x, x, attn_mask=torch.zeros(4, 4), average_attn_weights=False)
        return out, weights.sum()


def sdpa(q, k, v, scale=None):
    a = F.scaled_dot_product_attention(q, k, v)
    b = F.scaled_dot_product_attention(q, k, v, attn_mask=torch.zeros(3, 3), dropout_p=0.0)
    c = torch.nn.functional.scaled_dot_product_attention(query=q, key=k, value=v, is_causal=True, scale=0.5)
    return a + b + c
