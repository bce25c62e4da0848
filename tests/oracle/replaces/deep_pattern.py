# SPDX-License-Identifier: GPL-3.0-or-later
"""A pattern of thirty calls in a row, in a graph of seventy."""

import torch


def model(x):
    for _ in range(70):
        x = torch.sin(x)
    return x


def pattern(x):
    for _ in range(30):
        x = torch.sin(x)
    return x


def replacement(x):
    return torch.cos(x)
