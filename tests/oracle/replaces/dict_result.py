# SPDX-License-Identifier: GPL-3.0-or-later
"""A dict gives its keys, as any loop over it does."""

import torch


def model(x):
    return torch.relu(x).sum()


def pattern(x):
    return torch.relu(x)


def replacement(x):
    return {"a": torch.tanh(x)}
