# SPDX-License-Identifier: GPL-3.0-or-later
"""The replacement has one input more."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x):
    return torch.relu(x)


def replacement(x, y):
    return x
