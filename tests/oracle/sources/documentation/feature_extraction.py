# SPDX-License-Identifier: GPL-3.0-or-later
# A network whose middle results are of interest: named stages and a dictionary of them.
# case: {"expr": "Backbone()", "inputs": "torch.randn(1, 3, 16, 16)"}
# case: {"expr": "WithFeatures(Backbone(), ['stage1', 'stage2'])", "inputs": "torch.randn(1, 3, 16, 16)"}

import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stage1 = nn.Sequential(nn.Conv2d(3, 4, 3, 2, 1), nn.ReLU())
        self.stage2 = nn.Sequential(nn.Conv2d(4, 8, 3, 2, 1), nn.ReLU())
        self.stage3 = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 2))

    def forward(self, x):
        return self.stage3(self.stage2(self.stage1(x)))


class WithFeatures(nn.Module):
    def __init__(self, body, names):
        super().__init__()
        self.body, self.names = body, set(names)

    def forward(self, x):
        features = {}
        for name, stage in self.body.named_children():
            x = stage(x)
            if name in self.names:
                features[name] = x
        return features, x
