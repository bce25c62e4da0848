# SPDX-License-Identifier: GPL-3.0-or-later
"""One call becomes five, with names that are taken in part."""

import torch


def model(x, mul):
    add = torch.neg(x)
    return torch.nn.functional.gelu(add) + torch.nn.functional.gelu(mul)


def pattern(x):
    return torch.nn.functional.gelu(x)


def replacement(x):
    return x * 0.5 * (1.0 + torch.erf(x / 1.41421))
