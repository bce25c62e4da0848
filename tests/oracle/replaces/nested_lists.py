# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists in tuples in lists."""

import torch


def model(x, i, j):
    return torch.ops.aten.index.Tensor(x, [None, i, j]) + torch.block_diag(x, *[x, x]) + torch.einsum("ij,jk", [x, (x)])


def pattern(x, i, j):
    return torch.ops.aten.index.Tensor(x, [None, i, j])


def replacement(x, i, j):
    return torch.ops.aten.index.Tensor(x, [None, j, i])
