# SPDX-License-Identifier: GPL-3.0-or-later
"""The second match reads what the first one put in."""

import torch


def model(x, y):
    a = torch.add(x, y)
    b = torch.add(a, y)
    return torch.add(b, a)


def pattern(a, b):
    return torch.add(a, b)


def replacement(a, b):
    return torch.mul(torch.neg(a), b)
