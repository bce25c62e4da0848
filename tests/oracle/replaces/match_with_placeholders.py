# SPDX-License-Identifier: GPL-3.0-or-later
"""The pattern's inputs must be the graph's."""

import torch


def model(x, y):
    return torch.add(x, y), torch.add(torch.relu(x), y), torch.add(x, 3)


def pattern(a, b):
    return torch.add(a, b)


MATCH = {"match_placeholder": True}
