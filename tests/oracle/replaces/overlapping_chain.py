# SPDX-License-Identifier: GPL-3.0-or-later
"""Of five in a row, a pattern of two takes two pairs and leaves the last."""

import torch


def model(x):
    for _ in range(5):
        x = torch.relu(x)
    return x


def pattern(x):
    return torch.relu(torch.relu(x))


def replacement(x):
    return torch.sigmoid(x)
