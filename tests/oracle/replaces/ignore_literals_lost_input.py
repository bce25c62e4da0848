# SPDX-License-Identifier: GPL-3.0-or-later
"""A constant stands where the pattern has a call, so that an input of it is nothing."""

import torch


def model(x):
    return torch.add(x, 5)


def pattern(x, y):
    return torch.add(x, torch.relu(y))


def replacement(x, y):
    return torch.sub(x, y)


OPTIONS = {"ignore_literals": True}
