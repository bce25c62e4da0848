# SPDX-License-Identifier: GPL-3.0-or-later
"""The same input twice: equal numbers, by value this time, so that 3 is 3.0."""

import torch


def model(x):
    a = torch.clamp(x, 3, 3.0)
    b = torch.clamp(x, True, 1)
    c = torch.clamp(x, 3, 4)
    return a, b, c


def pattern(x, y):
    return torch.clamp(x, y, y)


def replacement(x, y):
    return torch.full_like(x, y)
