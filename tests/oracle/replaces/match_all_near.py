# SPDX-License-Identifier: GPL-3.0-or-later
"""Every pair of two results with a common input."""

import torch


def model(x, y):
    a = x + 1
    return torch.relu(a), torch.neg(a), torch.relu(a), torch.neg(a * 1), torch.neg(x), torch.relu(x)


def pattern(v):
    return torch.relu(v), torch.neg(v)


MATCH = {"remove_overlapping_matches": False}
