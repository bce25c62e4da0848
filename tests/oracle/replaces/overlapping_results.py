# SPDX-License-Identifier: GPL-3.0-or-later
"""Three matches share a node that they return: the first is kept."""

import torch


def model(x, y):
    shared = torch.neg(x)
    return torch.add(shared, y) * torch.add(shared, x) - torch.add(shared, 1)


def pattern(a, b):
    n = torch.neg(a)
    return n, torch.add(n, b)


def replacement(a, b):
    return torch.abs(a), torch.sub(b, a)
