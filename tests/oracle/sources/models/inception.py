# SPDX-License-Identifier: GPL-3.0-or-later
# Parallel branches that are joined by cat, with an auxiliary head in training only.
# case: {"expr": "Inception()", "inputs": "torch.randn(1, 3, 28, 28)"}
# case: {"expr": "Inception(aux=True)", "inputs": "torch.randn(2, 3, 28, 28)", "train": true}

from collections import namedtuple

import torch
from torch import nn
import torch.nn.functional as F

Outputs = namedtuple("Outputs", ["logits", "aux"])
Outputs.__annotations__ = {"logits": torch.Tensor, "aux": torch.Tensor}


class BasicConv2d(nn.Module):
    def __init__(self, cin, cout, **kwargs):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, bias=False, **kwargs)
        self.bn = nn.BatchNorm2d(cout, eps=0.001)

    def forward(self, x):
        x = self.conv(x)
        x = self.bn(x)
        return F.relu(x, inplace=True)


class Mixed(nn.Module):
    def __init__(self, cin, pool):
        super().__init__()
        self.b1 = BasicConv2d(cin, 4, kernel_size=1)
        self.b5_1 = BasicConv2d(cin, 3, kernel_size=1)
        self.b5_2 = BasicConv2d(3, 4, kernel_size=5, padding=2)
        self.b7 = nn.ModuleList(
            [
                BasicConv2d(cin, 4, kernel_size=1),
                BasicConv2d(4, 4, kernel_size=(1, 7), padding=(0, 3)),
                BasicConv2d(4, 6, kernel_size=(7, 1), padding=(3, 0)),
            ]
        )
        self.pool = BasicConv2d(cin, pool, kernel_size=1)

    def _forward(self, x):
        b1 = self.b1(x)
        b5 = self.b5_2(self.b5_1(x))
        b7 = x
        for m in self.b7:
            b7 = m(b7)
        pool = F.avg_pool2d(x, kernel_size=3, stride=1, padding=1)
        return [b1, b5, b7, self.pool(pool)]

    def forward(self, x):
        return torch.cat(self._forward(x), 1)


class Head(nn.Module):
    def __init__(self, cin, classes):
        super().__init__()
        self.fc = nn.Linear(cin, classes)

    def forward(self, x):
        x = F.adaptive_avg_pool2d(x, 1)
        return self.fc(x.view(x.size(0), -1))


class Inception(nn.Module):
    def __init__(self, aux=False, transform=True):
        super().__init__()
        self.transform = transform
        self.stem = BasicConv2d(3, 8, kernel_size=3, stride=2)
        self.mixed1 = Mixed(8, 2)
        self.mixed2 = Mixed(16, 6)
        self.head = Head(20, 4)
        self.aux_head = Head(16, 4) if aux else None

    def _transform_input(self, x):
        if self.transform:
            r = torch.unsqueeze(x[:, 0], 1) * (0.229 / 0.5) + (0.485 - 0.5) / 0.5
            g = torch.unsqueeze(x[:, 1], 1) * (0.224 / 0.5) + (0.456 - 0.5) / 0.5
            b = torch.unsqueeze(x[:, 2], 1) * (0.225 / 0.5) + (0.406 - 0.5) / 0.5
            x = torch.cat((r, g, b), 1)
        return x

    def forward(self, x):
        x = self.mixed1(self.stem(self._transform_input(x)))
        aux = None
        if self.aux_head is not None and self.training:
            aux = self.aux_head(x)
        x = F.max_pool2d(x, kernel_size=3, stride=2)
        logits = self.head(self.mixed2(x))
        if self.training and self.aux_head is not None:
            return Outputs(logits, aux)
        return logits
