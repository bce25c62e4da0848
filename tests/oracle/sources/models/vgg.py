# SPDX-License-Identifier: GPL-3.0-or-later
# Layers made from a list of numbers and letters.
# case: {"expr": "vgg('A', batch_norm=True)", "inputs": "torch.randn(1, 3, 16, 16)"}
# case: {"expr": "vgg('B')", "inputs": "torch.randn(2, 3, 16, 16)"}

import torch
from torch import nn
from typing import Dict, List, Union, cast

cfgs: Dict[str, List[Union[str, int]]] = {
    "A": [4, "M", 8, "M"],
    "B": [4, 4, "M", 8, "A", 8],
}


def make_layers(cfg, batch_norm: bool = False) -> nn.Sequential:
    layers: List[nn.Module] = []
    in_channels = 3
    for v in cfg:
        if v == "M":
            layers += [nn.MaxPool2d(kernel_size=2, stride=2)]
        elif v == "A":
            layers += [nn.AvgPool2d(2)]
        else:
            v = cast(int, v)
            conv2d = nn.Conv2d(in_channels, v, kernel_size=3, padding=1)
            layers += [conv2d, nn.BatchNorm2d(v), nn.ReLU(inplace=True)] if batch_norm else [conv2d, nn.ReLU(inplace=True)]
            in_channels = v
    return nn.Sequential(*layers)


class VGG(nn.Module):
    def __init__(self, features: nn.Module, num_classes: int = 5, init_weights: bool = True):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((2, 2))
        self.classifier = nn.Sequential(nn.Linear(8 * 2 * 2, 16), nn.ReLU(True), nn.Dropout(), nn.Linear(16, num_classes))
        if init_weights:
            self._initialize_weights()

    def forward(self, x):
        x = self.features(x)
        x = self.avgpool(x)
        x = x.view(x.shape[0], -1)
        return self.classifier(x)

    def _initialize_weights(self):
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
                if m.bias is not None:
                    nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.01)
                nn.init.zeros_(m.bias)


def vgg(name, **kwargs):
    bn = kwargs.pop("batch_norm", False)
    return VGG(make_layers(cfgs[name], bn), **kwargs)
