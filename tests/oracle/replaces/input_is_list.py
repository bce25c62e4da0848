# SPDX-License-Identifier: GPL-3.0-or-later
"""An input of the pattern may be a whole list."""

import torch


def model(x, y):
    return torch.cat([x, y]) + torch.cat([y, 2 * y, x])


def pattern(many):
    return torch.cat(many)


def replacement(many):
    return torch.stack(many)
