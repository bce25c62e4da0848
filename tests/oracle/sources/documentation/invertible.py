# SPDX-License-Identifier: GPL-3.0-or-later
# The chain of functions that one walks backwards to invert.
# case: {"expr": "f", "inputs": "torch.rand(3) + 0.5"}

import torch


def f(x):
    return torch.exp(torch.tan(torch.log(torch.sqrt(x))))
