# SPDX-License-Identifier: GPL-3.0-or-later
"""Two results that have nothing to do with each other: the first of each come together."""

import torch


def model(x, y, z):
    return torch.relu(x) + torch.neg(y) + torch.relu(z) + torch.neg(x) + torch.relu(y)


def pattern(v, w):
    return torch.relu(v), torch.neg(w)


def replacement(v, w):
    return torch.exp(w), torch.log(v)
