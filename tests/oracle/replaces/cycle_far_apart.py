# SPDX-License-Identifier: GPL-3.0-or-later
"""A long way out and back in."""

import torch


def model(x, y):
    a = torch.add(x, y)
    b = a
    for _ in range(6):
        b = torch.exp(b)
    return torch.sub(x, b)


def pattern(v, w, u):
    return torch.add(v, w), torch.sub(v, u)


def replacement(v, w, u):
    return torch.mul(v, w), torch.div(v, u)
