# SPDX-License-Identifier: GPL-3.0-or-later
"""A replacement that returns None."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x):
    return torch.relu(x)


def replacement(x):
    return None
