# SPDX-License-Identifier: GPL-3.0-or-later
# Changing parts of a traced value.
# case: {"expr": "assign", "fails": "error"}
# case: {"expr": "delete", "fails": "error"}
# case: {"expr": "augment", "fails": "error"}
# case: {"expr": "nested", "fails": "error"}
# case: {"expr": "key_of_argument", "fails": "error"}
# case: {"expr": "tuple_key", "fails": "error"}

import torch

torch.fx.wrap("take")


def take(table, x):
    return x


def assign(x):
    x[0] = 1
    return x


def delete(x):
    del x[0]
    return x


def augment(x):
    x[:, 0] += 1
    return x


def nested(x):
    y = {"a": x}
    y["a"][..., 1] = 0.0
    return y["a"]


def key_of_argument(x):
    return take({x: 1}, x)


def tuple_key(x):
    return take({(1, (x, 2)): 1}, x)
