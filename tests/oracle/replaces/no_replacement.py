# SPDX-License-Identifier: GPL-3.0-or-later
"""Neither a replacement nor a callback."""

import torch


def model(x):
    return torch.exp(x)


def pattern(x):
    return torch.relu(x)


replacement = None
