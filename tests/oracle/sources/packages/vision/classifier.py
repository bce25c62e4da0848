# SPDX-License-Identifier: GPL-3.0-or-later
# Relative and absolute imports inside a package.
# case: {"expr": "Classifier()", "inputs": "torch.randn(1, 3, 8, 8)"}
# case: {"expr": "Classifier(layers.ConvBlock)", "inputs": "torch.randn(1, 3, 8, 8)"}

from torch import nn

import vision.utils.math_helpers as helpers
from vision.utils import clamp_all

from . import layers
from .layers import ConvBlock as Block


class Classifier(nn.Module):
    def __init__(self, block=Block):
        super().__init__()
        self.blocks = nn.Sequential(block(3, 4), layers.ConvBlock(4, 4, kernel=5))
        self.fc = nn.Linear(4, helpers.CLASSES)

    def forward(self, x):
        x = self.blocks(x).mean((-2, -1))
        x, y = clamp_all(x, x * 2, low=0.0)
        return self.fc(x + y)
