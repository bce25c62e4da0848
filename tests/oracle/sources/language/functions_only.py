# SPDX-License-Identifier: GPL-3.0-or-later
# A file of plain functions, as notebooks have them.
# case: {"expr": "forward", "inputs": "torch.randn(2, 3), torch.randn(3, 3), torch.zeros(3)"}
# case: {"expr": "attention", "inputs": "torch.randn(1, 2, 4), torch.randn(1, 2, 4), torch.randn(1, 2, 4), None, None", "concrete": {"mask": "None", "dropout": "None"}}
# case: {"expr": "gelu_by_hand", "inputs": "torch.randn(3)"}
# case: {"expr": "lambda x, y=2: torch.relu(x) * y", "inputs": "torch.randn(3)"}

import math

import torch
import torch.nn.functional as F


def layer(x, w, b):
    return F.relu(x @ w + b)


def forward(x, w, b):
    h = x
    for _ in range(3):
        h = layer(h, w, b)
    return F.log_softmax(h, dim=1)


def attention(query, key, value, mask=None, dropout=None):
    """Scaled dot product."""
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


def gelu_by_hand(x):
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))
