# SPDX-License-Identifier: GPL-3.0-or-later
"""An input of the pattern that it does not use."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x, y):
    return torch.relu(x)


def replacement(x, y):
    return x
