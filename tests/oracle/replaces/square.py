# SPDX-License-Identifier: GPL-3.0-or-later
"""a * a matches x * x alone."""

import torch


def model(x, y):
    return torch.mul(x, x) + torch.mul(x, y) + torch.mul(2, 2)


def pattern(a):
    return torch.mul(a, a)


def replacement(a):
    return torch.square(a)
