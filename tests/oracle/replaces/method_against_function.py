# SPDX-License-Identifier: GPL-3.0-or-later
"""The method relu is not torch.relu, nor is that torch.nn.functional's."""

import torch


def model(x):
    return x.relu() + torch.relu(x) + torch.nn.functional.relu(x)


def pattern(x):
    return x.relu()


def replacement(x):
    return x.clamp(min=0)
