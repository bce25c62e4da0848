# SPDX-License-Identifier: GPL-3.0-or-later
"""One function in terms of operators."""

import torch
import torch.nn.functional as F


def model(x, y):
    return F.relu(x) * F.relu(y + 1)


def relu(x):
    return (x > 0) * x


rules = {F.relu: relu}
