# SPDX-License-Identifier: GPL-3.0-or-later
"""All matches, those that share nodes too."""

import torch


def model(x):
    for _ in range(5):
        x = torch.relu(x)
    return x


def pattern(x):
    return torch.relu(torch.relu(x))


MATCH = {"remove_overlapping_matches": False}
