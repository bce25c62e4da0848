# SPDX-License-Identifier: GPL-3.0-or-later
"""Of an operator overload, what is left out is its default."""

import torch

aten = torch.ops.aten


def model(x, y):
    a = aten.add.Tensor(x, y)
    b = aten.add.Tensor(x, y, alpha=1)
    c = aten.add.Tensor(x, y, alpha=2)
    d = aten.add.Tensor(x, other=y)
    return a, b, c, d


def pattern(x, y):
    return aten.add.Tensor(x, y)


def replacement(x, y):
    return aten.sub.Tensor(x, y, alpha=-1)
