# SPDX-License-Identifier: GPL-3.0-or-later
"""An input of the pattern may be a number."""

import torch


def model(x):
    return torch.add(x, 3) + torch.add(torch.relu(x), 2.5) + torch.add(x, torch.neg(x))


def pattern(x, y):
    return torch.add(x, y)


def replacement(x, y):
    return torch.mul(y, x)
