# SPDX-License-Identifier: GPL-3.0-or-later
"""A value read twice inside of the pattern."""

import torch


def model(x):
    for _ in range(3):
        a = torch.relu(x)
        x = a + torch.neg(a)
    return x


def pattern(x):
    a = torch.relu(x)
    return a + torch.neg(a)


def replacement(x):
    a = torch.abs(x)
    return a - a
