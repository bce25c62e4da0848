# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/inference.py
# case: no_dropout Net() remove_dropout
# case: no_identity Net() remove_dropout --identity True

import torch
import torch.nn as nn
import torch.nn.functional as F

INPUTS = (torch.linspace(-1, 1, 12).reshape(2, 6),)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 6), nn.Dropout(0.2), nn.Identity(), nn.Linear(6, 4), nn.AlphaDropout())
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        y = F.dropout(self.body(self.drop(x)), 0.1, training=False)
        return self.drop(y) + torch.dropout(y, 0.3, False)
