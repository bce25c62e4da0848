# SPDX-License-Identifier: GPL-3.0-or-later
"""Of two results of the same kind, the pattern tries all pairs."""

import torch


def model(x, y):
    return torch.relu(x) - torch.relu(y), torch.relu(x + y)


def pattern(v, w):
    return torch.relu(v), torch.relu(w)


def replacement(v, w):
    return torch.sin(v), torch.cos(w)
