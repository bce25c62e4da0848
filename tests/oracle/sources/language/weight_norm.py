# SPDX-License-Identifier: GPL-3.0-or-later
# Weights that are computed from parametrizations and by the old weight_norm.
# case: {"expr": "Old()", "inputs": "torch.randn(2, 3)"}

import torch
from torch import nn


class Old(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.utils.weight_norm(nn.Linear(3, 2))

    def forward(self, x):
        return self.fc(x)
