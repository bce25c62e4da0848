# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods with arguments."""

import torch


def model(x):
    n = x.size(0)
    return x.view(n, -1) + x.view(-1, n) + x.reshape(n, -1)


def pattern(x, n):
    return x.view(n, -1)


def replacement(x, n):
    return x.flatten(1)
