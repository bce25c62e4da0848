# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader that nobody reads counts too."""

import torch


def model(x):
    a = torch.relu(x)
    torch.exp(a)
    return torch.neg(a)


def pattern(v):
    return torch.neg(torch.relu(v))


def replacement(v):
    return torch.tanh(v)
