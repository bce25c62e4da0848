# SPDX-License-Identifier: GPL-3.0-or-later
"""A rule must return something of the graph."""

import torch


def model(x):
    return torch.relu(x)


rules = {torch.relu: lambda x: 3}
