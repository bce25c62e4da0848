# SPDX-License-Identifier: GPL-3.0-or-later
# Layers for the classifier beside this file.
# case: {"expr": "ConvBlock(2, 3)", "inputs": "torch.randn(1, 2, 4, 4)"}

import torch
from torch import nn

from .utils.math_helpers import same_padding


class ConvBlock(nn.Module):
    def __init__(self, cin, cout, kernel=3):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, kernel, padding=same_padding(kernel))

    def forward(self, x):
        return torch.relu(self.conv(x))
