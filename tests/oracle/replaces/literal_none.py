# SPDX-License-Identifier: GPL-3.0-or-later
"""None is a literal, and no default."""

import torch


def model(x):
    return torch.clamp(x, None, 1) + torch.clamp(x, 0, 1) + torch.clamp(x, None, 1.0)


def pattern(x):
    return torch.clamp(x, None, 1)


def replacement(x):
    return torch.clamp_max(x, 1)
