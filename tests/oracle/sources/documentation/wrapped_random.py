# SPDX-License-Identifier: GPL-3.0-or-later
# A random tensor of the shape of an input is made anew at each run only if its maker is wrapped.
# case: {"expr": "f"}
# case: {"expr": "baked", "inputs": "torch.ones(2, 3)"}

import torch
import torch.fx


@torch.fx.wrap
def torch_randn(x, shape):
    return torch.randn(shape)


def f(x):
    return x + torch_randn(x, (5, 1))


def baked(x):
    return x + torch.ones(2, 3)
