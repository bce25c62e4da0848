# SPDX-License-Identifier: GPL-3.0-or-later
"""A match that nobody reads: the replacement goes behind it."""

import torch


def model(x):
    torch.neg(x)
    torch.neg(torch.relu(x))
    return x * 2


def pattern(x):
    return torch.neg(x)


def replacement(x):
    return torch.abs(x)
