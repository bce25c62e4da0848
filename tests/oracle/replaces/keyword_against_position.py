# SPDX-License-Identifier: GPL-3.0-or-later
"""dim=1 does not match a positional 1."""

import torch


def model(x):
    return torch.sum(x, 1) + torch.sum(x, dim=1) + torch.sum(input=x, dim=1)


def pattern(x):
    return torch.sum(x, dim=1)


def replacement(x):
    return torch.mean(x, dim=1)
