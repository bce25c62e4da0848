# SPDX-License-Identifier: GPL-3.0-or-later
# Local response normalization across channels, in plain tensor operations.
import torch


def cross_map_lrn2d(input, size, alpha, beta, k):
    if input.dim() != 4:
        raise ValueError(f'CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.')
    # A running sum over the channels near by. PyTorch never takes channel 0 out of it again, so neither does this.
    squares = input.pow(2)
    channels = input.size(1)
    reach = int((size - 1) / 2 + 1)
    near = torch.zeros_like(squares[:, 0])
    for channel in range(min(reach, channels)):
        near = near + squares[:, channel]
    sums = [near]
    for channel in range(1, channels):
        if channel + reach - 1 < channels:
            near = near + squares[:, channel + reach - 1]
        if channel > reach:
            near = near - squares[:, channel - reach]
        sums.append(near)
    return (torch.stack(sums, 1) * (alpha / size) + k).pow(-beta) * input
