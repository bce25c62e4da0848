# SPDX-License-Identifier: GPL-3.0-or-later
"""The replacement returns more than the pattern."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x):
    return torch.relu(x)


def replacement(x):
    return x, x
