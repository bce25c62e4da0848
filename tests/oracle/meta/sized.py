# SPDX-License-Identifier: GPL-3.0-or-later
"""Models whose forward asks for sizes, dtypes and flags: torch.fx traces them with examples alone."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width=16, heads=4, causal=True):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.register_buffer("mask", torch.ones(32, 32).tril().bool())
        self.scale = nn.Parameter(torch.ones(heads, 1, 1))

    def forward(self, x):
        batch, length, width = x.shape
        if width % self.heads != 0:
            raise ValueError(f"{width} is no multiple of {self.heads}")
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)) * self.scale
        if self.causal and length > 1:
            scores = scores.masked_fill(~self.mask[:length, :length], torch.finfo(scores.dtype).min)
        y = F.softmax(scores, dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


class Embedded(nn.Module):
    def __init__(self, words=20, width=16, depth=2):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(64, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(Attention(width) for _ in range(depth))
        self.head = nn.Linear(width, words, bias=False)
        self.head.weight = self.words.weight

    def forward(self, ids, mask=None):
        if ids.dim() == 1:
            ids = ids.unsqueeze(0)
        length = ids.shape[1]
        places = torch.arange(length, device=ids.device).unsqueeze(0)
        x = self.norm(self.words(ids) + self.places(places))
        if mask is not None:
            x = x * mask.to(x.dtype).unsqueeze(-1)
        for layer in self.layers:
            x = x + layer(x)
        return {"logits": self.head(x), "pooled": x.mean(1)}


class Padded(nn.Module):
    """Pads to what its blocks ask for, and makes modules as it goes."""

    def __init__(self, block=4):
        super().__init__()
        self.block = block
        self.conv = nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, x):
        height, width = x.shape[-2:]
        down, right = -height % self.block, -width % self.block
        if down or right:
            x = F.pad(x, (0, right, 0, down))
        x = nn.ReLU()(self.conv(x))
        for _ in range(2):
            x = nn.MaxPool2d(2)(x)
        return x.flatten(1)


class Typed(nn.Module):
    def forward(self, x, y):
        if x.dtype != y.dtype:
            y = y.to(x.dtype)
        if x.dtype.is_floating_point and x.dim() == y.dim():
            return x * y
        zeros = torch.zeros(x.shape, dtype=x.dtype)
        return torch.cat([x, zeros, torch.full_like(x, 3)]) + y.sum()


class Rolled(nn.Module):
    """Loops over what a size says, and writes into parts."""

    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(6, 3)

    def forward(self, x):
        state = torch.zeros(x.shape[1], 3)
        out = []
        for step in range(x.size(0)):
            state = torch.tanh(self.cell(torch.cat([x[step], state], dim=1)))
            out.append(state)
        return torch.stack(out)


class Written(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[:, 0] = 0
        y[..., -1] = y[..., -1] + 1
        for row in y:
            y = y + row.sum()
        return y if len(x) > 1 else x


class Unpacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5, batch_first=True)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        parts = [part for part in out.split(2, dim=1)]
        return torch.cat(parts, dim=1) + h.squeeze(0).unsqueeze(1), c


class Decided(nn.Module):
    """Depends on what no example says."""

    def forward(self, x):
        y = torch.relu(x)
        if y.sum() > 0:
            return y * 2
        return y
