# SPDX-License-Identifier: GPL-3.0-or-later
"""A replacement that ends without an output gives None."""

import torch


def model(x):
    return torch.relu(x)


def pattern(x):
    return torch.relu(x)


replacement = torch.fx.Graph()
replacement.call_function(torch.neg, (replacement.placeholder("x"),))
