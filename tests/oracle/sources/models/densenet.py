# SPDX-License-Identifier: GPL-3.0-or-later
# Dense blocks that concatenate all former features; layers added by name.
# case: {"expr": "DenseNet(growth=4, blocks=(2, 3))", "inputs": "torch.randn(2, 3, 32, 32)"}

import re
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class DenseLayer(nn.Module):
    def __init__(self, features, growth, bn_size, drop):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(features)
        self.relu1 = nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(features, bn_size * growth, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(bn_size * growth)
        self.relu2 = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(bn_size * growth, growth, 3, padding=1, bias=False)
        self.drop = float(drop)

    def bottleneck(self, inputs):
        return self.conv1(self.relu1(self.norm1(torch.cat(inputs, 1))))

    def forward(self, inputs):
        prev = inputs if isinstance(inputs, list) else [inputs]
        out = self.conv2(self.relu2(self.norm2(self.bottleneck(prev))))
        if self.drop > 0:
            out = F.dropout(out, p=self.drop, training=self.training)
        return out


class DenseBlock(nn.ModuleDict):
    def __init__(self, count, features, bn_size, growth, drop):
        super().__init__()
        for i in range(count):
            self.add_module("denselayer%d" % (i + 1), DenseLayer(features + i * growth, growth, bn_size, drop))

    def forward(self, init):
        features = [init]
        for _, layer in self.items():
            features.append(layer(features))
        return torch.cat(features, 1)


class Transition(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__()
        self.add_module("norm", nn.BatchNorm2d(cin))
        self.add_module("relu", nn.ReLU(inplace=True))
        self.add_module("conv", nn.Conv2d(cin, cout, kernel_size=1, stride=1, bias=False))
        self.add_module("pool", nn.AvgPool2d(kernel_size=2, stride=2))


class DenseNet(nn.Module):
    def __init__(self, growth=8, blocks=(2, 2), init=8, bn_size=2, drop=0.1, classes=5):
        super().__init__()
        self.features = nn.Sequential(
            OrderedDict(
                [
                    ("conv0", nn.Conv2d(3, init, 7, stride=2, padding=3, bias=False)),
                    ("norm0", nn.BatchNorm2d(init)),
                    ("relu0", nn.ReLU(inplace=True)),
                    ("pool0", nn.MaxPool2d(3, stride=2, padding=1)),
                ]
            )
        )
        features = init
        for i, count in enumerate(blocks):
            self.features.add_module(f"denseblock{i + 1}", DenseBlock(count, features, bn_size, growth, drop))
            features += count * growth
            if i != len(blocks) - 1:
                self.features.add_module(f"transition{i + 1}", Transition(features, features // 2))
                features //= 2
        self.features.add_module("norm5", nn.BatchNorm2d(features))
        self.classifier = nn.Linear(features, classes)

    def forward(self, x):
        out = F.relu(self.features(x), inplace=True)
        out = F.adaptive_avg_pool2d(out, (1, 1))
        return self.classifier(torch.flatten(out, 1))
