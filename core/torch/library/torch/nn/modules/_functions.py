# SPDX-License-Identifier: GPL-3.0-or-later
# Local response normalization across channels, in plain tensor operations.
import torch
from torch.nn import functional as F


def cross_map_lrn2d(input, size, alpha, beta, k):
    if input.dim() != 4:
        raise ValueError(f'CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.')
    # The window over channels starts (size - 1) // 2 + 1 - 1 before the channel and ends as far after it.
    reach = int((size - 1) / 2 + 1) - 1
    squares = F.pad(input * input, (0, 0, 0, 0, reach, reach))
    channels = input.size(1)
    near = squares[:, :channels].clone()
    for step in range(1, 2 * reach + 1):
        near += squares[:, step:step + channels]
    return (near * (alpha / size) + k).pow(-beta) * input
