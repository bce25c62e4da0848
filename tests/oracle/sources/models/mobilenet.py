# SPDX-License-Identifier: GPL-3.0-or-later
# Inverted residuals with squeeze and excitation, h-swish written out.
# case: {"expr": "MobileNet()", "inputs": "torch.randn(1, 3, 32, 32)"}

from __future__ import annotations

import torch
from torch import nn


def make_divisible(v: float, divisor: int = 8, min_value: int | None = None) -> int:
    if min_value is None:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v


class HSigmoid(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.relu6(x + 3.0, inplace=True) / 6.0


class HSwish(nn.Module):
    def __init__(self):
        super().__init__()
        self.sigmoid = HSigmoid()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.sigmoid(x)


class SqueezeExcite(nn.Module):
    def __init__(self, channels: int, reduction: int = 4):
        super().__init__()
        self.avg_pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Sequential(
            nn.Linear(channels, make_divisible(channels // reduction)),
            nn.ReLU(inplace=True),
            nn.Linear(make_divisible(channels // reduction), channels),
            HSigmoid(),
        )

    def forward(self, x):
        b, c, _, _ = x.size()
        y = self.avg_pool(x).view(b, c)
        y = self.fc(y).view(b, c, 1, 1)
        return x * y


class InvertedResidual(nn.Module):
    def __init__(self, cin, hidden, cout, kernel, stride, use_se, use_hs):
        super().__init__()
        assert stride in [1, 2]
        self.identity = stride == 1 and cin == cout
        act = HSwish if use_hs else nn.ReLU
        se = SqueezeExcite(hidden) if use_se else nn.Identity()
        layers: list[nn.Module] = []
        if cin != hidden:
            layers += [nn.Conv2d(cin, hidden, 1, 1, 0, bias=False), nn.BatchNorm2d(hidden), act()]
        layers += [
            nn.Conv2d(hidden, hidden, kernel, stride, (kernel - 1) // 2, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden),
            se,
            act(),
            nn.Conv2d(hidden, cout, 1, 1, 0, bias=False),
            nn.BatchNorm2d(cout),
        ]
        self.conv = nn.Sequential(*layers)

    def forward(self, x):
        if self.identity:
            return x + self.conv(x)
        return self.conv(x)


class MobileNet(nn.Module):
    # kernel, expansion, channels, squeeze, h-swish, stride
    CONFIG = [
        [3, 1, 8, 1, 0, 1],
        [3, 4.5, 8, 0, 0, 2],
        [5, 4, 16, 1, 1, 1],
        [5, 3, 16, 1, 1, 1],
    ]

    def __init__(self, width_mult: float = 1.0, num_classes: int = 6):
        super().__init__()
        cin = make_divisible(8 * width_mult, 8)
        layers = [nn.Sequential(nn.Conv2d(3, cin, 3, 2, 1, bias=False), nn.BatchNorm2d(cin), HSwish())]
        exp = cin
        for k, t, c, use_se, use_hs, s in self.CONFIG:
            cout = make_divisible(c * width_mult, 8)
            exp = make_divisible(cin * t, 8)
            layers.append(InvertedResidual(cin, exp, cout, k, s, use_se, use_hs))
            cin = cout
        self.features = nn.Sequential(*layers)
        self.conv = nn.Sequential(nn.Conv2d(cin, exp, 1), nn.BatchNorm2d(exp), HSwish())
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.classifier = nn.Sequential(nn.Linear(exp, 32), HSwish(), nn.Dropout(0.2), nn.Linear(32, num_classes))

    def forward(self, x):
        x = self.features(x)
        x = self.conv(x)
        x = self.avgpool(x)
        x = x.view(x.size(0), -1)
        x = self.classifier(x)
        return x
