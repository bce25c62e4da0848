# SPDX-License-Identifier: GPL-3.0-or-later
"""A wrong default and a keyword-only one."""

import torch

aten = torch.ops.aten


def model(x):
    a = aten.sum.dim_IntList(x, [1])
    b = aten.sum.dim_IntList(x, [1], keepdim=False)
    c = aten.sum.dim_IntList(x, [1], dtype=torch.float32)
    d = aten.sum.dim_IntList(x, [1], True)
    e = aten.sum.dim_IntList(x, dim=[1])
    return a, b, c, d, e


def pattern(x):
    return aten.sum.dim_IntList(x, [1], False)


def replacement(x):
    return aten.mean.dim(x, [1])
