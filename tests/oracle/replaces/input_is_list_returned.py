# SPDX-License-Identifier: GPL-3.0-or-later
"""A list of one, handed through, is a result."""

import torch


def model(x):
    return torch.cat([torch.relu(x)]).sum()


def pattern(many):
    return torch.cat(many)


def replacement(many):
    return many
