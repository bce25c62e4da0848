# SPDX-License-Identifier: GPL-3.0-or-later
"""A pattern that returns its own input: everything else that read it reads the new value, itself too."""

import torch


def model(x):
    return torch.relu(x) + 1


def pattern(x):
    return torch.relu(x), x


def replacement(x):
    return torch.neg(x), torch.tanh(x)
