# SPDX-License-Identifier: GPL-3.0-or-later
"""A pattern that returns no node matches nothing."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x):
    return 3


def replacement(x):
    return torch.tanh(x)
