# SPDX-License-Identifier: GPL-3.0-or-later
# A function of math and a builtin, recorded since they are wrapped by name.
# case: {"expr": "normalize", "inputs": "torch.rand(4)"}
# case: {"expr": "Normalize()", "inputs": "torch.rand(4)"}

from math import sqrt

import torch
import torch.fx

torch.fx.wrap("len")
torch.fx.wrap("sqrt")


def normalize(x):
    return x / sqrt(len(x))


class Normalize(torch.nn.Module):
    def forward(self, x):
        return normalize(x)
