# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy asks for the name that its original has, not for its target's."""

import torch


def model(x, relu_1):
    relu = torch.neg(x)
    return torch.exp(relu) + torch.exp(relu_1)


def pattern(x):
    return torch.exp(x)


def replacement(relu):
    a = torch.relu(relu)
    b = torch.relu(a)
    return torch.relu(b)
