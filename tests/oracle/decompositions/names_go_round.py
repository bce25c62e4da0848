# SPDX-License-Identifier: GPL-3.0-or-later
"""Names are given out anew from the beginning: an old node loses its name to a new one before it."""

import torch


def model(x, gt, mul_1):
    first = torch.relu(x)
    mul = torch.neg(gt) * first
    return torch.relu(mul) * mul_1 * torch.relu(gt)


def relu(x):
    return (x > 0) * x * torch.abs(x)


rules = {torch.relu: relu}
