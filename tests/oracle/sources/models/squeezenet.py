# SPDX-License-Identifier: GPL-3.0-or-later
# Fire modules: two expansions of one squeeze, joined.
# case: {"expr": "SqueezeNet()", "inputs": "torch.randn(1, 3, 32, 32)"}

import torch as th
import torch.nn as nn


class Fire(nn.Module):
    def __init__(self, inplanes, squeeze, expand1, expand3):
        super().__init__()
        self.inplanes = inplanes
        self.squeeze, self.squeeze_act = nn.Conv2d(inplanes, squeeze, 1), nn.ReLU(inplace=True)
        self.expand1x1 = nn.Conv2d(squeeze, expand1, 1)
        self.expand3x3 = nn.Conv2d(squeeze, expand3, 3, padding="same")

    def forward(self, x):
        x = self.squeeze_act(self.squeeze(x))
        return th.cat([th.relu(self.expand1x1(x)), th.relu_(self.expand3x3(x))], 1)


class SqueezeNet(nn.Module):
    def __init__(self, classes=9):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, 2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(3, 2, ceil_mode=True),
            Fire(8, 2, 4, 4),
            Fire(8, 2, 4, 4),
        )
        final = nn.Conv2d(8, classes, kernel_size=1)
        self.classifier = nn.Sequential(nn.Dropout(p=0.5), final, nn.ReLU(), nn.AdaptiveAvgPool2d((1, 1)))

    def forward(self, x):
        return th.flatten(self.classifier(self.features(x)), start_dim=1)
