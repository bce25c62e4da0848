# SPDX-License-Identifier: GPL-3.0-or-later
# The position table cut to the length of the input, which torch.fx cannot trace.
# case: {"expr": "Positions()", "fails": "error"}
# case: {"expr": "CausalMask(4)", "fails": "error"}

import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("position_ids", torch.arange(16).expand((1, -1)))
        self.embed = nn.Embedding(16, 4)

    def forward(self, input_ids):
        seq_length = input_ids.size()[1]
        return self.embed(self.position_ids[:, :seq_length])


class CausalMask(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(n, n)))

    def forward(self, scores):
        t = scores.size(-1)
        return scores.masked_fill(self.mask[:t, :t] == 0, float("-inf"))
