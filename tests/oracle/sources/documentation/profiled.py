# SPDX-License-Identifier: GPL-3.0-or-later
# A small network for a profiling interpreter: convolution, relu, pool, view, linear.
# case: {"expr": "Net()", "inputs": "torch.randn(1, 1, 12, 12)"}

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 4, 3)
        self.conv2 = nn.Conv2d(4, 8, 3)
        self.fc = nn.Linear(8 * 3 * 3, 5)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), (2, 2)) if False else F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.avg_pool2d(x, 2, ceil_mode=False)[:, :, :3, :3]
        x = F.interpolate(x, size=(3, 3))
        return self.fc(torch.flatten(x, 1))
