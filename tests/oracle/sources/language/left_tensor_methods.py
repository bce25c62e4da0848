# SPDX-License-Identifier: GPL-3.0-or-later
# Methods of a real tensor that are given traced values: some are recorded as functions, some run a body in Python.
# case: {"expr": "made", "inputs": "3"}
# case: {"expr": "python_bodies"}
# case: {"expr": "sizes", "inputs": "torch.zeros(4, 2, 8)"}

import torch

B = torch.arange(16.0).reshape(2, 8)


def made(n):
    return B.new_zeros(3, n), B.new_zeros((3, n)), B.new_full((n, 2), 1.0), B.new_ones(n), B.new_empty((0, n)), B.repeat(1, n)


def python_bodies(n):
    return B.split(n), B.split([n, 2], 1), torch.split(B, n), B.norm(n), B.stride(n)


def sizes(x):
    return B.expand(x.shape), B.expand(x.size()), B.new_zeros(x.shape), B.reshape(x.size(1), -1), B.repeat(x.shape[0], 1, 1)
