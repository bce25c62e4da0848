# SPDX-License-Identifier: GPL-3.0-or-later
"""A pattern with a call that nobody reads."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x):
    torch.neg(x)
    return torch.relu(x)


def replacement(x):
    return x
