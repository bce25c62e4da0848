# SPDX-License-Identifier: GPL-3.0-or-later
"""The replacement goes before the first reader in the order of the graph."""

import torch


def model(x, y):
    a = torch.neg(x)
    between = torch.relu(y)
    b = torch.exp(x)
    first = between + b
    return first * a, a + b


def pattern(x):
    return torch.neg(x), torch.exp(x)


def replacement(x):
    return torch.sin(x), torch.cos(x)
