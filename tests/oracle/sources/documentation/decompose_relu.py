# SPDX-License-Identifier: GPL-3.0-or-later
# What a decomposition rewrites: relu by operators.
# case: {"expr": "before", "inputs": "torch.randn(3)"}
# case: {"expr": "relu_decomposition", "inputs": "torch.randn(3)"}
# case: {"expr": "after", "inputs": "torch.randn(3)"}

import torch
import torch.nn.functional as F


def relu_decomposition(x):
    return (x > 0) * x


def before(x):
    return F.relu(x) + F.relu(x, inplace=False).tanh()


def after(x):
    return relu_decomposition(x) + relu_decomposition(x).tanh()
