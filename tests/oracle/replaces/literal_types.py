# SPDX-License-Identifier: GPL-3.0-or-later
"""3 is not 3.0."""

import torch


def model(x):
    return torch.mul(x, 3) + torch.mul(x, 3.0) + torch.mul(x, 4)


def pattern(x):
    return torch.mul(x, 3)


def replacement(x):
    return torch.add(torch.add(x, x), x)
