# SPDX-License-Identifier: GPL-3.0-or-later
# Permutes between channel orders, layer scale, a subclass of LayerNorm.
# case: {"expr": "ConvNeXt(dims=[8, 16])", "inputs": "torch.randn(1, 3, 16, 16)"}
# case: {"expr": "ConvNeXt(dims=[8, 16])", "inputs": "torch.randn(1, 3, 16, 16)", "leaf": ["LayerNorm2d", "CNBlock"]}

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F


class LayerNorm2d(nn.LayerNorm):
    def forward(self, x):
        x = x.permute(0, 2, 3, 1)
        x = F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)
        x = x.permute(0, 3, 1, 2)
        return x


class Permute(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.dims = dims

    def forward(self, x):
        return torch.permute(x, self.dims)


class CNBlock(nn.Module):
    def __init__(self, dim, layer_scale: float = 1e-6, norm_layer=None) -> None:
        super().__init__()
        if norm_layer is None:
            norm_layer = partial(nn.LayerNorm, eps=1e-6)
        self.block = nn.Sequential(
            nn.Conv2d(dim, dim, kernel_size=7, padding=3, groups=dim, bias=True),
            Permute([0, 2, 3, 1]),
            norm_layer(dim),
            nn.Linear(in_features=dim, out_features=4 * dim, bias=True),
            nn.GELU(),
            nn.Linear(in_features=4 * dim, out_features=dim, bias=True),
            Permute([0, 3, 1, 2]),
        )
        self.layer_scale = nn.Parameter(torch.ones(dim, 1, 1) * layer_scale)

    def forward(self, input: torch.Tensor) -> torch.Tensor:
        result = self.layer_scale * self.block(input)
        result += input
        return result


class ConvNeXt(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, dims[0], 4, 4), LayerNorm2d(dims[0], eps=1e-6))
        for a, b in zip(dims, dims[1:]):
            self.features.append(CNBlock(a))
            self.features.append(nn.Sequential(LayerNorm2d(a), nn.Conv2d(a, b, 2, 2)))
        self.features.extend([CNBlock(dims[-1])])
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Sequential(LayerNorm2d(dims[-1]), nn.Flatten(1), nn.Linear(dims[-1], 2))

    def forward(self, x):
        return self.head(self.pool(self.features(x)))
