# SPDX-License-Identifier: GPL-3.0-or-later
# Real tensors indexed by tuples, lists and slices that hold traced values.
# case: {"expr": "pair"}
# case: {"expr": "reversed_pair"}
# case: {"expr": "in_list"}
# case: {"expr": "slice_in_tuple", "fails": "error"}
# case: {"expr": "step", "fails": "error"}
# case: {"expr": "mask"}
# case: {"expr": "assigned"}
# case: {"expr": "assigned_slice", "fails": "error"}
# case: {"expr": "size_index", "fails": "error"}
# case: {"expr": "range_index", "fails": "error"}
# case: {"expr": "text_index", "fails": "error"}
# case: {"expr": "dict_index", "fails": "error"}

import torch

TABLE = torch.arange(6.0).view(2, 3)


def pair(x):
    return TABLE[x, 0]


def reversed_pair(x):
    return TABLE[0, x]


def in_list(x):
    return TABLE[[x]]


def slice_in_tuple(x):
    return TABLE[0, :x]


def step(x):
    return TABLE[::x]


def mask(x):
    return TABLE[x > 0]


def assigned(x):
    t = torch.zeros(2, 3)
    t[x] = 1.0
    t[0, x] = x
    t[:, 0] = x
    return t


def assigned_slice(x):
    t = torch.zeros(2, 3)
    t[:x] = 1.0
    return t


def size_index(x):
    return TABLE.shape[x]


def range_index(x):
    return range(3)[x]


def text_index(x):
    return "abc"[x]


def dict_index(x):
    return {1: 2}[x]
