# SPDX-License-Identifier: GPL-3.0-or-later
# Attributes of traced values that are only read, and calls of a traced value.
# case: {"expr": "forward"}
# case: {"expr": "methods", "inputs": "torch.ones(2, 2)"}

import torch


def forward(x, fn):
    a = x.weight + x.config.hidden_size
    b = fn(x, a, key=1)
    c = fn.method(x).other.attribute
    d = x.items["name"].value
    keys = x.keys()
    x.unused
    return a, b, c, d, keys, getattr(x, "name"), getattr(x, "other", None)


def methods(x):
    add = x.add
    y = add(1) + add(2)
    size = x.size
    f = getattr(y, "mul")
    return f(size(0)), x.add.__class__ is None
