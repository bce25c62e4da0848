# SPDX-License-Identifier: GPL-3.0-or-later
"""Three matches share their lower half, which each of them reads from outside: none is left."""

import torch


def model(x, y):
    shared = torch.neg(x)
    return torch.add(shared, y) * torch.add(y, shared) - torch.add(shared, x)


def pattern(a, b):
    return torch.add(torch.neg(a), b)


def replacement(a, b):
    return torch.sub(b, a)
