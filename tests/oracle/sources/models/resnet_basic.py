# SPDX-License-Identifier: GPL-3.0-or-later
# A small residual network of basic blocks, as image classifiers are often written.
# case: {"expr": "ResNet([2, 1, 1])", "inputs": "torch.randn(2, 3, 32, 32)"}
# case: {"expr": "ResNet([1, 1], width=4, classes=3)", "inputs": "torch.randn(1, 3, 16, 16)", "train": true}

import torch
import torch.nn as nn


def conv3x3(cin, cout, stride=1):
    """3x3 convolution with padding."""
    return nn.Conv2d(cin, cout, kernel_size=3, stride=stride, padding=1, bias=False)


class BasicBlock(nn.Module):
    expansion: int = 1

    def __init__(self, cin, cout, stride=1, downsample=None):
        super(BasicBlock, self).__init__()
        self.conv1 = conv3x3(cin, cout, stride)
        self.bn1 = nn.BatchNorm2d(cout)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(cout, cout)
        self.bn2 = nn.BatchNorm2d(cout)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x):
        identity = x

        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)

        out = self.conv2(out)
        out = self.bn2(out)

        if self.downsample is not None:
            identity = self.downsample(x)

        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    def __init__(self, blocks, width=8, classes=10):
        super(ResNet, self).__init__()
        self.inplanes = width
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(True))
        for i, n in enumerate(blocks):
            setattr(self, "layer%d" % (i + 1), self._make_layer(width * 2**i, n, stride=1 if i == 0 else 2))
        self.n_layers = len(blocks)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(self.inplanes, classes)

        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)

    def _make_layer(self, planes, count, stride):
        down = None
        if stride != 1 or self.inplanes != planes * BasicBlock.expansion:
            down = nn.Sequential(
                nn.Conv2d(self.inplanes, planes, 1, stride, bias=False),
                nn.BatchNorm2d(planes),
            )
        layers = [BasicBlock(self.inplanes, planes, stride, down)]
        self.inplanes = planes * BasicBlock.expansion
        layers += [BasicBlock(self.inplanes, planes) for _ in range(1, count)]
        return nn.Sequential(*layers)

    def forward(self, x):
        x = self.stem(x)
        for i in range(self.n_layers):
            x = getattr(self, f"layer{i + 1}")(x)
        x = self.avgpool(x)
        x = torch.flatten(x, 1)
        return self.fc(x)
