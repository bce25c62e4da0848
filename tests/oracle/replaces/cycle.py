# SPDX-License-Identifier: GPL-3.0-or-later
"""The second result reads the first through a node outside: no match."""

import torch


def model(x, y):
    a = torch.relu(x)
    outside = torch.exp(a)
    b = torch.neg(outside)
    c = torch.relu(y)
    d = torch.neg(y)
    return a + b, c + d


def pattern(v, w):
    return torch.relu(v), torch.neg(w)


def replacement(v, w):
    return torch.sin(v), torch.cos(w)
