# SPDX-License-Identifier: GPL-3.0-or-later
# Frames by unfold, a window buffer, Fourier transform and a log scale.
# case: {"expr": "LogSpectrogram(16, 8)", "inputs": "torch.randn(2, 64)"}

import math

import torch
from torch import nn


class LogSpectrogram(nn.Module):
    window: torch.Tensor

    def __init__(self, n_fft, hop, floor=1e-10):
        super().__init__()
        self.n_fft, self.hop, self.floor = n_fft, hop, floor
        ramp = torch.arange(n_fft, dtype=torch.float32) * (2 * math.pi / n_fft)
        self.register_buffer("window", 0.5 - 0.5 * torch.cos(ramp))

    def forward(self, wave):
        frames = wave.unfold(-1, self.n_fft, self.hop) * self.window
        spectrum = torch.fft.rfft(frames, n=self.n_fft, dim=-1)
        power = spectrum.real**2 + spectrum.imag**2
        decibels = 10.0 * torch.log10(power.clamp_min(self.floor))
        return decibels.transpose(-2, -1) - decibels.amax(dim=(-2, -1), keepdim=True)
