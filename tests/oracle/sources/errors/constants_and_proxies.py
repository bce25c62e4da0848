# SPDX-License-Identifier: GPL-3.0-or-later
# Real tensors that meet traced values where torch refuses.
# case: {"expr": "forward"}
# case: {"expr": "in_place"}
# case: {"expr": "item_of_constant", "fails": "error"}
# case: {"expr": "indexed_constant", "fails": "error"}
# case: {"expr": "unbound_method", "fails": "error"}
# case: {"expr": "shapes_differ", "fails": "error"}
# case: {"expr": "item", "fails": "error"}
# case: {"expr": "constant_bool", "fails": "error"}

import torch

TABLE = torch.arange(6.0).view(2, 3)


def forward(x):
    return TABLE[x]


def in_place(x):
    y = torch.zeros(3)
    y[0] = x
    return y


def item_of_constant(x):
    return TABLE.item() * x


def indexed_constant(x):
    return TABLE[5] + x


def unbound_method(x):
    return torch.Tensor.add(x, 1)


def shapes_differ(x):
    return x + torch.ones(2) @ torch.ones(3)


def item(x):
    return [1, 2, 3][x.argmax().item()]


def constant_bool(x):
    if TABLE:
        return x
