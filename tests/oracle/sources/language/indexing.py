# SPDX-License-Identifier: GPL-3.0-or-later
# Subscripts with Ellipsis, None, slices, tensors, lists and masks.
# case: {"expr": "forward", "inputs": "torch.arange(24.0).view(2, 3, 4), torch.tensor([0, 1])"}
# case: {"expr": "nested", "inputs": "[[torch.ones(2), {'k': torch.zeros(3)}], (torch.ones(1),)]"}
# case: {"expr": "computed", "inputs": "torch.arange(12.0).view(3, 4)"}

import torch


def forward(x, idx):
    a = x[0]
    b = x[..., 0]
    c = x[:, None]
    d = x[1:, ::2, -1]
    e = x[idx]
    f = x[:, idx, ...]
    g = x[[0, 1]]
    h = x[x > 3.0]
    i = x[:, [0, 2]][None, :, :, None]
    j = x[(0, 1)][2]
    k = x[True]
    return a, b, c, d, e, f, g, h, i, j, k, x[idx, idx, idx], x[()], x[-1:]


def nested(values):
    first, table = values[0][0], values[0][1]
    return first[0] + table["k"][1] * values[1][0][0]


def computed(x):
    n = x.shape[0]
    left = x[: n // 2]
    right = x[n // 2 :, : n - 1]
    return left, right, x[n - 1], x[:, n], x[-n:, 0:n:2]
