# SPDX-License-Identifier: GPL-3.0-or-later
"""A pattern with a NaN matches nothing."""

import math

import torch


def model(x):
    return torch.add(x, math.nan)


def pattern(x):
    return torch.add(x, float("nan"))


def replacement(x):
    return torch.clone(x)
