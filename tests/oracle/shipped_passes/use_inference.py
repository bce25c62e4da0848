# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/inference.py
# case: no_dropout Net() remove_dropout
# case: optimize_layout Images() optimize_for_inference
# case: optimize_plainly Images() optimize_for_inference --layout False
# case: no_identity Net() remove_dropout --identity True

import torch
import torch.nn as nn
import torch.nn.functional as F

ROWS = (torch.linspace(-1, 1, 12).reshape(2, 6),)
INPUTS = {"Net()": ROWS, "Images()": (torch.linspace(-1, 1, 144).reshape(2, 2, 6, 6),)}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 6), nn.Dropout(0.2), nn.Identity(), nn.Linear(6, 4), nn.AlphaDropout())
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        y = F.dropout(self.body(self.drop(x)), 0.1, training=False)
        return self.drop(y) + torch.dropout(y, 0.3, False)


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.again = nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.Conv2d(4, 4, 3)

    def forward(self, x):
        return torch.relu(self.again(F.relu(self.norm(self.conv(x))))).flatten(1)
