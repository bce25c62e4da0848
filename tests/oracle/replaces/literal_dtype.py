# SPDX-License-Identifier: GPL-3.0-or-later
"""A dtype is compared, a keyword is no position."""

import torch


def model(x):
    return x.to(torch.float16) + x.to(torch.float32) + x.to(dtype=torch.float16)


def pattern(x):
    return x.to(torch.float16)


def replacement(x):
    return x.half()
