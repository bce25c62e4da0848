# SPDX-License-Identifier: GPL-3.0-or-later
"""A rule with fewer parameters than the call has arguments."""

import torch


def model(x):
    return torch.softmax(x, 1)


def softmax(x):
    return x


rules = {torch.softmax: softmax}
