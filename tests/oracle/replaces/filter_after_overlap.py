# SPDX-License-Identifier: GPL-3.0-or-later
"""A match that a filter refuses has driven out the one that overlapped it."""

import torch


def model(x):
    return torch.pow(torch.pow(torch.pow(x, 3), 2), 5)


def pattern(x, n, m):
    return torch.pow(torch.pow(x, n), m)


def replacement(x, n, m):
    return torch.mul(x, m)


FILTER = {"placeholder": 1, "is": 2}
