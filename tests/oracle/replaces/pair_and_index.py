# SPDX-License-Identifier: GPL-3.0-or-later
"""getitem and getattr in a pattern."""

import torch


def model(x):
    values, places = torch.max(x, 1)
    return values + places, torch.max(x, 0)[0], x.shape[0]


def pattern(x):
    both = torch.max(x, 1)
    return both[0], both[1]


def replacement(x):
    return torch.amax(x, 1), torch.argmax(x, 1)
