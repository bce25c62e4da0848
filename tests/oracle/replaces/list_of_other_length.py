# SPDX-License-Identifier: GPL-3.0-or-later
"""A list of three does not match a list of two."""

import torch


def model(a, b, c):
    return torch.cat([a, b, c]) + torch.cat((a, b))


def pattern(left, right):
    return torch.cat([left, right])


def replacement(left, right):
    return torch.hstack([left, right])
