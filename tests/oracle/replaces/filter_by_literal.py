# SPDX-License-Identifier: GPL-3.0-or-later
"""A filter keeps the matches whose second input is 2."""

import torch


def model(x):
    return torch.pow(x, 2) + torch.pow(x, 3) + torch.pow(torch.neg(x), 2)


def pattern(x, n):
    return torch.pow(x, n)


def replacement(x, n):
    return torch.mul(x, x)


FILTER = {"placeholder": 1, "is": 2}
