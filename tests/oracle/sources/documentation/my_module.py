# SPDX-License-Identifier: GPL-3.0-or-later
# The first module of the documentation: a parameter, a submodule, clamp by keywords.
# case: {"expr": "MyModule()", "inputs": "torch.rand(3, 4)"}

import torch


class MyModule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.param = torch.nn.Parameter(torch.rand(3, 4))
        self.linear = torch.nn.Linear(4, 5)

    def forward(self, x):
        return self.linear(x + self.param).clamp(min=0.0, max=1.0)
