# SPDX-License-Identifier: GPL-3.0-or-later
# A custom tracer takes one more class as a leaf.
# case: {"expr": "MyModule()", "inputs": "torch.rand(3, 4)"}
# case: {"expr": "MyModule()", "inputs": "torch.rand(3, 4)", "leaf": ["MySpecialSubmodule"]}

import torch


class MySpecialSubmodule(torch.nn.Module):
    def forward(self, x):
        return torch.neg(x)


class MyModule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 5)
        self.submod = MySpecialSubmodule()

    def forward(self, x):
        return self.submod(self.linear(x))
