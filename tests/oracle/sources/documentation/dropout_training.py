# SPDX-License-Identifier: GPL-3.0-or-later
# Dropout by function freezes the training flag; as a module it does not.
# case: {"expr": "DropoutRepro()", "inputs": "torch.rand(3, 4)"}
# case: {"expr": "DropoutRepro()", "inputs": "torch.rand(3, 4)", "train": true}
# case: {"expr": "DropoutModule()", "inputs": "torch.rand(3, 4)", "train": true}
# case: {"expr": "DropoutModule()", "inputs": "torch.rand(3, 4)"}

import torch


class DropoutRepro(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.dropout(x, training=self.training)


class DropoutModule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = torch.nn.Dropout()

    def forward(self, x):
        return self.drop(x)
