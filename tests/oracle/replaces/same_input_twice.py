# SPDX-License-Identifier: GPL-3.0-or-later
"""a * b does not match x * x, but a * a does."""

import torch


def model(x, y):
    return torch.mul(x, x) + torch.mul(x, y)


def pattern(a, b):
    return torch.mul(a, b)


def replacement(a, b):
    return torch.div(a, b)
