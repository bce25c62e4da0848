# SPDX-License-Identifier: GPL-3.0-or-later
# Layers whose weights have their output channels along the second axis.
import torch
from torch import nn
import torch.nn.functional as F


class OneAxis(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose1d(4, 6, 4, stride=2, padding=1)
        self.bn = nn.BatchNorm1d(6)

    def forward(self, x):
        return F.relu(self.bn(self.up(x)))


class TwoAxes(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(3, 5, 3)
        self.again = nn.ConvTranspose2d(5, 2, 2, stride=2, bias=False)

    def forward(self, x):
        return self.again(F.relu(self.up(x)))


class ThreeAxes(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose3d(2, 3, 2)
        self.bn = nn.BatchNorm3d(3)

    def forward(self, x):
        return self.bn(self.up(x))


class Groups(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(4, 6, 2, groups=2)
        self.deep = nn.ConvTranspose1d(6, 6, 3, groups=6)

    def forward(self, x):
        return self.deep(F.relu(self.up(x)).flatten(2))


class Functions(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4, 2, 2) * 0.3)
        self.matrix = nn.Parameter(torch.randn(6, 5) * 0.3)
        self.bias = nn.Parameter(torch.randn(5))

    def forward(self, x):
        x = F.relu(F.conv_transpose2d(x, self.weight))
        return torch.addmm(self.bias, x.flatten(0, 2), self.matrix)


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(3, 3, 1)

    def forward(self, x):
        return self.up(self.up(x))


MODELS = {
    'OneAxis': lambda: (torch.randn(2, 4, 9),),
    'TwoAxes': lambda: (torch.randn(2, 3, 5, 5),),
    'ThreeAxes': lambda: (torch.randn(2, 2, 3, 3, 3),),
    'Groups': lambda: (torch.randn(2, 4, 4, 4),),
    'Functions': lambda: (torch.randn(2, 3, 4, 5),),
    'Shared': lambda: (torch.randn(2, 3, 4, 4),),
}


def build(name):
    torch.manual_seed(len(name))
    return globals()[name]()
