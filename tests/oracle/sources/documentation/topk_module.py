# SPDX-License-Identifier: GPL-3.0-or-later
# The module whose opcodes the documentation prints as a table.
# case: {"expr": "MyModule()", "inputs": "torch.rand(5, 4)"}

import torch


class MyModule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.param = torch.nn.Parameter(torch.rand(3, 4))
        self.linear = torch.nn.Linear(4, 5)

    def forward(self, x):
        return torch.topk(torch.sum(self.linear(x + self.linear.weight).relu(), dim=-1), 3)
