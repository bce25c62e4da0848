# SPDX-License-Identifier: GPL-3.0-or-later
"""One inner value, read by all three results."""

import torch


def model(x):
    a = x * 2
    b = x * 2
    return torch.relu(a), torch.neg(a), torch.exp(a), torch.exp(b), torch.neg(b), torch.relu(b)


def pattern(v):
    w = v * 2
    return torch.relu(w), torch.neg(w), torch.exp(w)


def replacement(v):
    return torch.sin(v), torch.cos(v), torch.tan(v)
