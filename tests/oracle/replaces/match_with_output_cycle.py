# SPDX-License-Identifier: GPL-3.0-or-later
"""With the output part of the match, what leaves it goes nowhere."""

import torch


def model(x):
    a = torch.relu(x)
    return a, torch.neg(a)


def pattern(x):
    a = torch.relu(x)
    return a, torch.neg(a)


MATCH = {"match_output": True, "match_placeholder": True}
