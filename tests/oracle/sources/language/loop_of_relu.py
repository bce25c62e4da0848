# SPDX-License-Identifier: GPL-3.0-or-later
# A function with a loop of calls.
# case: {"expr": "forward", "inputs": "torch.randn(4)"}

import torch


def forward(x):
    for _ in range(50):
        x = torch.relu(x)
    return x
