# SPDX-License-Identifier: GPL-3.0-or-later
"""Two calls in a row become one, everywhere."""

import torch


def model(x, y):
    a = torch.neg(torch.relu(x))
    b = torch.neg(torch.relu(y))
    return a * b


def pattern(v):
    return torch.neg(torch.relu(v))


def replacement(v):
    return torch.tanh(v)
