# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/profiling.py
# case: log_nodes Net() LogNodes
# case: count_numbers Net() CountWork
# case: count_by_calls Net() CountWork --by calls
# case: count_by_name Net() CountWork --by name
# case: count_unknown Net() CountWork --by size

import torch
import torch.nn as nn

INPUTS = (torch.linspace(-1, 1, 24).reshape(4, 6),)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(6, 6), nn.Linear(6, 2)

    def forward(self, x):
        left, right = torch.chunk(torch.relu(self.one(x)), 2, dim=0)
        return self.two(left + right).sum(), x.argmax(1)
