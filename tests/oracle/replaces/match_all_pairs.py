# SPDX-License-Identifier: GPL-3.0-or-later
"""Every pair of two unconnected results."""

import torch


def model(x, y, z):
    return torch.relu(x) + torch.neg(y) + torch.relu(z) + torch.neg(x) + torch.relu(y)


def pattern(v, w):
    return torch.relu(v), torch.neg(w)


MATCH = {"remove_overlapping_matches": False}
