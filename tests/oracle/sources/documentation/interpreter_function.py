# SPDX-License-Identifier: GPL-3.0-or-later
# The function of the interpreter's example: neg and sigmoid to be swapped.
# case: {"expr": "fn", "inputs": "torch.randn(3, 4)"}

import torch


def fn(x):
    return torch.sigmoid(x).neg()
