# SPDX-License-Identifier: GPL-3.0-or-later
"""A rule cannot decide by the value of a tensor."""

import torch


def model(x):
    return torch.relu(x)


def relu(x):
    if x.sum() > 0:
        return x
    return -x


rules = {torch.relu: relu}
