# SPDX-License-Identifier: GPL-3.0-or-later
# Tables that are computed at construction: masks, positions, frequencies, kernels.
# case: {"expr": "Net(6, 4)", "inputs": "torch.randn(2, 6, 4)"}

import math

import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, length, dim):
        super().__init__()
        pe = torch.zeros(length, dim)
        position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, dim, 2).float() * (-math.log(10000.0) / dim))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))
        mask = (torch.triu(torch.ones(length, length)) == 1).transpose(0, 1)
        self.mask = mask.float().masked_fill(mask == 0, float("-inf")).masked_fill(mask == 1, float(0.0))
        kernel = torch.tensor([1.0, 2.0, 1.0])
        kernel = (kernel / kernel.sum()).view(1, 1, 3).repeat(dim, 1, 1)
        self.register_buffer("kernel", kernel)
        self.slopes = [2 ** (-8 * (i + 1) / dim) for i in range(dim)]
        self.dim = dim

    def forward(self, x):
        x = x + self.pe
        x = F.conv1d(x.transpose(1, 2), self.kernel, padding=1, groups=self.dim).transpose(1, 2)
        scores = x @ x.transpose(1, 2) + self.mask
        return scores.softmax(-1) @ x * torch.tensor(self.slopes)
