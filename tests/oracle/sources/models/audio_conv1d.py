# SPDX-License-Identifier: GPL-3.0-or-later
# Dilated one-dimensional convolutions with gates and skip sums.
# case: {"expr": "WaveNet(layers=3, channels=4)", "inputs": "torch.randn(1, 1, 40)"}

import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalConv1d(nn.Conv1d):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.left = (self.kernel_size[0] - 1) * self.dilation[0]

    def forward(self, x):
        return super().forward(F.pad(x, (self.left, 0)))


class ResidualLayer(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.filter = CausalConv1d(channels, channels, 2, dilation=dilation)
        self.gate = CausalConv1d(channels, channels, 2, dilation=dilation)
        self.mix = nn.Conv1d(channels, 2 * channels, 1)

    def forward(self, x):
        y = torch.tanh(self.filter(x)) * torch.sigmoid(self.gate(x))
        residual, skip = self.mix(y).chunk(2, dim=1)
        return (x + residual) * (0.5**0.5), skip


class WaveNet(nn.Module):
    def __init__(self, layers, channels):
        super().__init__()
        self.input = nn.Conv1d(1, channels, 1)
        self.layers = nn.ModuleList([ResidualLayer(channels, dilation=2**i) for i in range(layers)])
        self.output = nn.Sequential(nn.ReLU(), nn.Conv1d(channels, channels, 1), nn.ReLU(), nn.Conv1d(channels, 8, 1))

    def forward(self, audio):
        x = self.input(audio)
        skip_sum = None
        for layer in self.layers:
            x, skip = layer(x)
            skip_sum = skip if skip_sum is None else skip_sum + skip
        return self.output(skip_sum)
