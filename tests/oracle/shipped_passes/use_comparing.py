# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/comparing.py
# case: inaccurate_sequential Net() FindInaccurate --tolerance 0.1
# case: inaccurate_binary Net() FindInaccurate --mode binary --dtype float16 --tolerance 0.05
# case: inaccurate_accumulate Net() FindInaccurate --mode accumulate --tolerance 0.1
# case: inaccurate_none Net() FindInaccurate --dtype float64
# case: inaccurate_mode Net() FindInaccurate --mode sideways

import torch
import torch.nn as nn

INPUTS = (torch.linspace(-1, 1, 12).reshape(2, 6),)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(6, 6), nn.Linear(6, 2)

    def forward(self, x):
        y = torch.relu(self.one(x)) * 1000 + 0.123
        return self.two(y / 1000), y.exp().log()
