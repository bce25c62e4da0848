# SPDX-License-Identifier: GPL-3.0-or-later
# The ready-made attention and transformer layers as leaves.
# case: {"expr": "Encoder()", "inputs": "torch.randn(2, 5, 8)"}

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        memory = self.encoder(x)
        y = self.decoder(x, memory)
        out, weights = self.attention(y, memory, memory, need_weights=True)
        again, _ = self.attention(out, out, value=out, need_weights=False)
        return again, weights
