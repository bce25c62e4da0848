# SPDX-License-Identifier: GPL-3.0-or-later
"""Another shape of the result."""

import torch


def model(x):
    return [torch.relu(x), {"key": torch.neg(x)}]


def pattern(x):
    return [torch.relu(x), torch.neg(x)]


MATCH = {"match_output": True}
