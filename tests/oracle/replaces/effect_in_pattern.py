# SPDX-License-Identifier: GPL-3.0-or-later
"""An assertion is no dead code, but the search never comes to it."""

import torch


def model(x):
    torch._assert(x, "message")
    return torch.relu(x)


def pattern(x):
    torch._assert(x, "message")
    return torch.relu(x)


def replacement(x):
    return x
