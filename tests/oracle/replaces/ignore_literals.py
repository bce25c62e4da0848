# SPDX-License-Identifier: GPL-3.0-or-later
"""Any number will do, and the replacement has its own."""

import torch


def model(x):
    return torch.add(torch.mul(x, 3), 7) + torch.add(torch.mul(x, 2.5), x)


def pattern(x):
    return torch.add(torch.mul(x, 1), 2)


def replacement(x):
    return torch.addcmul(x, x, x)


OPTIONS = {"ignore_literals": True}
