# SPDX-License-Identifier: GPL-3.0-or-later
"""Keywords are compared in their order."""

import torch


def model(x):
    a = torch.sum(x, dim=1, keepdim=True)
    b = torch.sum(x, keepdim=True, dim=1)
    return a + b


def pattern(x):
    return torch.sum(x, dim=1, keepdim=True)


def replacement(x):
    return torch.mean(x, dim=1, keepdim=True)
