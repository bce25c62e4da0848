# SPDX-License-Identifier: GPL-3.0-or-later
# Mixing of tokens and channels by transposes.
# case: {"expr": "MLPMixer(image_size=16, patch=4, dim=8, depth=2)", "inputs": "torch.randn(2, 3, 16, 16)"}

import torch
import torch.nn as nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, dim)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))


class Mixer(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.norm1, self.norm2 = (nn.LayerNorm(dim) for _ in range(2))
        self.tokens = FeedForward(tokens, tokens * 2)
        self.channels = FeedForward(dim, dim * 2)

    def forward(self, x):
        x = x + self.tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        x = x + self.channels(self.norm2(x))
        return x


class MLPMixer(nn.Module):
    def __init__(self, image_size, patch, dim, depth, classes=3):
        super().__init__()
        n, r = divmod(image_size, patch)
        assert r == 0, "image size must be a multiple of the patch"
        self.patches = nn.Conv2d(3, dim, patch, patch)
        self.mixers = nn.Sequential(*(Mixer(n * n, dim) for _ in range(depth)))
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.patches(x)
        x = x.flatten(2).transpose(-1, -2)
        x = self.norm(self.mixers(x))
        return self.head(x.mean(dim=1))
