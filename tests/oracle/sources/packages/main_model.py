# SPDX-License-Identifier: GPL-3.0-or-later
# A file without a package that imports its neighbours.
# case: {"expr": "Model(width=4)", "inputs": "torch.randn(1, 3, 8, 8)"}
# case: {"expr": "functional_model", "inputs": "torch.randn(2, 3)"}

import torch
from torch import nn

import side_module
from side_module import *
from vision import Classifier, VERSION
from vision.layers import ConvBlock


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = ConvBlock(3, width)
        self.classifier = Classifier()
        self.extra = side_module.Scaled(nn.Conv2d(width, 3, 1))

    def forward(self, x):
        return star_function(self.classifier(self.extra(self.stem(x)))), VERSION


def functional_model(x):
    return side_module.wrapped(star_function(x), side_module.FACTOR)
