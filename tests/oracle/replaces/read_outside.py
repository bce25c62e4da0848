# SPDX-License-Identifier: GPL-3.0-or-later
"""A value inside of the match that is read outside: not replaced."""

import torch


def model(x, y):
    a = torch.relu(x)
    b = torch.relu(y)
    return torch.neg(a) + a + torch.neg(b)


def pattern(v):
    return torch.neg(torch.relu(v))


def replacement(v):
    return torch.tanh(v)
