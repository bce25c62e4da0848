# SPDX-License-Identifier: GPL-3.0-or-later
"""The pattern's output must be the graph's."""

import torch


def model(x):
    return torch.neg(torch.relu(torch.neg(torch.relu(x))))


def pattern(x):
    return torch.neg(torch.relu(x))


MATCH = {"match_output": True}
