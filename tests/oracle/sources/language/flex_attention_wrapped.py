# SPDX-License-Identifier: GPL-3.0-or-later
# torch.nn.attention.flex_attention, wrapped by its own name.
# case: {"expr": "Attention()", "inputs": "*[torch.linspace(-1, 1, 64).view(1, 2, 8, 4)] * 3"}
import torch
from torch import nn
from torch.nn.attention import flex_attention as flex
from torch.nn.attention.flex_attention import flex_attention

flex._FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = True
torch.fx.wrap("flex_attention")


class Attention(nn.Module):
    def forward(self, q, k, v):
        return flex_attention(q, k, v, scale=0.5) + q
