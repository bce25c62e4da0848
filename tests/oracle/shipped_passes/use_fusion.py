# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/fusion.py
# case: fold_conv_norm Net() fuse_conv_batch_norm
# case: fold_nothing Lone() fuse_conv_batch_norm
# case: fold_one_dimension Signal() fuse_conv_batch_norm

import torch
import torch.nn as nn

INPUTS = {"Net()": (torch.linspace(-1, 1, 98).reshape(1, 2, 7, 7),), "Lone()": (torch.linspace(-1, 1, 50).reshape(1, 2, 5, 5),),
          "Signal()": (torch.linspace(0, 1, 24).reshape(2, 3, 4),)}


def stirred(norm):
    """As if it had been trained."""
    count = norm.num_features
    norm.running_mean.copy_(torch.linspace(-0.5, 0.5, count))
    norm.running_var.copy_(torch.linspace(0.5, 2, count))
    if norm.affine:
        nn.init.uniform_(norm.weight)
        nn.init.uniform_(norm.bias)
    return norm


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(2, 4, 3, bias=False), stirred(nn.BatchNorm2d(4)), nn.ReLU())
        self.conv = nn.Conv2d(4, 3, 3)
        self.norm = stirred(nn.BatchNorm2d(3, affine=False))

    def forward(self, x):
        return self.norm(self.conv(self.body(x)))


class Lone(nn.Module):
    """Read twice, called twice, and no convolution before."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(2, 2, 3, padding=1), stirred(nn.BatchNorm2d(2))
        self.again = nn.Conv2d(2, 2, 1)
        self.first = stirred(nn.BatchNorm2d(2))

    def forward(self, x):
        y = self.conv(self.first(x))
        return self.norm(y) + y + self.again(self.again(x))


class Signal(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv1d(3, 2, 2), stirred(nn.BatchNorm1d(2))

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))
