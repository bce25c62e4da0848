# SPDX-License-Identifier: GPL-3.0-or-later
"""An encoder with attention, by the sizes of BERT's smaller kin."""
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.queries, self.keys, self.values, self.out = (nn.Linear(width, width) for _ in range(4))
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.drop = nn.Dropout(0.1)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, self.size).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.queries(x)), self.split(self.keys(x)), self.split(self.values(x))
        shares = torch.softmax(torch.matmul(q, k.transpose(2, 3)) / self.size ** 0.5, -1)
        mixed = torch.matmul(self.drop(shares), v).transpose(1, 2).reshape(x.size(0), x.size(1), -1)
        x = self.first(x + self.drop(self.out(mixed)))
        return self.second(x + self.drop(self.narrow(nn.functional.gelu(self.wide(x)))))


class Encoder(nn.Module):
    def __init__(self, depth=6, width=384, heads=6):
        super().__init__()
        self.layers = nn.Sequential(*(Layer(width, heads) for _ in range(depth)))

    def forward(self, x):
        return self.layers(x)
