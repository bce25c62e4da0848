# SPDX-License-Identifier: GPL-3.0-or-later
"""Not a number equals nothing, minus zero equals zero."""

import math

import torch


def model(x):
    return torch.add(x, math.nan) * torch.add(x, -0.0) * torch.add(x, 0.0) * torch.add(x, 0)


def pattern(x):
    return torch.add(x, 0.0)


def replacement(x):
    return torch.clone(x)
