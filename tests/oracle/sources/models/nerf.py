# SPDX-License-Identifier: GPL-3.0-or-later
# Positional encoding in a list of functions, a skip into the middle, volume rendering by cumprod.
# case: {"expr": "NeRF(depth=4, width=8, skips=[2])", "inputs": "torch.randn(2, 5, 3), torch.linspace(0, 1, 5)"}

import torch
import torch.nn as nn


class Embedder:
    """Not a module: makes the functions once."""

    def __init__(self, freqs, include_input=True, periodic=(torch.sin, torch.cos)):
        self.fns = []
        self.out_dim = 0
        if include_input:
            self.fns.append(lambda x: x)
            self.out_dim += 3
        for freq in 2.0 ** torch.linspace(0.0, freqs - 1, steps=freqs):
            for p_fn in periodic:
                self.fns.append(lambda x, p_fn=p_fn, freq=freq.item(): p_fn(x * freq))
                self.out_dim += 3

    def embed(self, inputs):
        return torch.cat([fn(inputs) for fn in self.fns], -1)


class NeRF(nn.Module):
    def __init__(self, depth=8, width=256, skips=(4,)):
        super().__init__()
        self.embedder = Embedder(2)
        n = self.embedder.out_dim
        self.skips = skips
        self.pts_linears = nn.ModuleList(
            [nn.Linear(n, width)] + [nn.Linear(width + n if i in skips else width, width) for i in range(depth - 1)]
        )
        self.alpha_linear = nn.Linear(width, 1)
        self.rgb_linear = nn.Linear(width, 3)

    def forward(self, pts, z):
        x = self.embedder.embed(pts)
        h = x
        for i, l in enumerate(self.pts_linears):
            h = self.pts_linears[i](h)
            h = h.relu()
            if i in self.skips:
                h = torch.cat([x, h], -1)
        rgb = torch.sigmoid(self.rgb_linear(h))
        sigma = self.alpha_linear(h)[..., 0].relu()
        dists = z[1:] - z[:-1]
        dists = torch.cat([dists, torch.tensor([1e10])], -1)
        alpha = 1.0 - torch.exp(-sigma * dists)
        trans = torch.cumprod(1.0 - alpha + 1e-10, -1)
        weights = alpha * torch.roll(trans, 1, -1)
        return torch.sum(weights[..., None] * rgb, -2), weights.sum(-1)
