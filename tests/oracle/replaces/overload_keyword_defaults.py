# SPDX-License-Identifier: GPL-3.0-or-later
"""Defaults that are lists, booleans, None, and a keyword that may be given by position."""

import torch

aten = torch.ops.aten


def model(x, w):
    a = aten.convolution.default(x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    b = aten.conv2d.default(x, w)
    c = aten.conv2d.default(x, w, None, [1, 1])
    d = aten.conv2d.default(x, w, stride=[1, 1], padding=[0, 0])
    e = aten.conv2d.default(x, w, None, [2, 2])
    f = aten.sum.dim_IntList(x, [1])
    g = aten.sum.dim_IntList(x, [1], False, dtype=None)
    h = aten.clone.default(x, memory_format=torch.contiguous_format)
    return a, b, c, d, e, f, g, h


def pattern(x, w):
    return aten.conv2d.default(x, w, None, [1, 1], [0, 0])


def replacement(x, w):
    return aten.conv_transpose2d.input(x, w)
