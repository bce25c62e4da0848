# SPDX-License-Identifier: GPL-3.0-or-later
"""A value that is read inside of the pattern may be returned too, and then read outside."""

import torch


def model(x):
    a = torch.relu(x)
    b = torch.neg(a)
    return a + b


def pattern(x):
    a = torch.relu(x)
    return torch.neg(a), a


def replacement(x):
    a = torch.tanh(x)
    return torch.abs(a), a
