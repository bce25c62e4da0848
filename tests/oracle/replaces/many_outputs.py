# SPDX-License-Identifier: GPL-3.0-or-later
"""Two results, hanging together by their input."""

import torch


def model(x, y):
    a, b = torch.relu(x), torch.neg(x)
    c, d = torch.relu(y), torch.neg(y)
    return a + b, c - d


def pattern(v):
    return torch.relu(v), torch.neg(v)


def replacement(v):
    w = torch.abs(v)
    return w, torch.exp(w)
