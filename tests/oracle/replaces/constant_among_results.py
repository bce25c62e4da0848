# SPDX-License-Identifier: GPL-3.0-or-later
"""In a tuple a constant is a result like others."""

import torch


def model(x):
    return torch.relu(x) + torch.neg(x)


def pattern(x):
    return torch.relu(x), torch.neg(x)


def replacement(x):
    return torch.tanh(x), 3
