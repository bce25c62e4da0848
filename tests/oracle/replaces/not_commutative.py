# SPDX-License-Identifier: GPL-3.0-or-later
"""a + b does not match b + a where they differ."""

import torch


def model(x, y):
    return (torch.relu(x) + y) * (y + torch.relu(x)) * (1 + x)


def pattern(a, b):
    return torch.relu(a) + b


def replacement(a, b):
    return torch.maximum(a, b)
