# SPDX-License-Identifier: GPL-3.0-or-later
# Control flow on a hyper-parameter: two graphs from one class.
# case: {"expr": "MyModule(do_activation=False)", "inputs": "torch.rand(2, 5)"}
# case: {"expr": "MyModule(do_activation=True)", "inputs": "torch.rand(2, 5)"}

import torch


class MyModule(torch.nn.Module):
    def __init__(self, do_activation: bool = False):
        super().__init__()
        self.do_activation = do_activation
        self.linear = torch.nn.Linear(5, 5)

    def forward(self, x):
        x = self.linear(x)
        if self.do_activation:
            x = torch.relu(x)
        return x
