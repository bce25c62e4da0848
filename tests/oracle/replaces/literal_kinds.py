# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings, dtypes, devices, formats, slices and Ellipsis as literals."""

import torch


def model(x):
    a = x.to(torch.float16).to("cpu").to(torch.device("cpu"))
    b = x.contiguous(memory_format=torch.channels_last)
    return a[0, ..., 1:2] + b[0, ..., 1:3] + b[0, ..., 1:2]


def pattern(x):
    return x[0, ..., 1:2]


def replacement(x):
    return x.select(0, 0)
