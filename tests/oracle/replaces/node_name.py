# SPDX-License-Identifier: GPL-3.0-or-later
"""A node with a part of a name matches the anchor whatever it calls."""

import torch


def model(x):
    special = torch.neg(x)
    return torch.exp(special) + torch.sigmoid(x)


def pattern(x):
    return torch.relu(x)


def replacement(x):
    return torch.tanh(x)


OPTIONS = {"node_name_match": "neg"}
