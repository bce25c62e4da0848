# SPDX-License-Identifier: GPL-3.0-or-later
# Results of every shape: tuples, lists, dicts, nests, constants, nothing.
# case: {"expr": "nothing", "inputs": "torch.ones(2)"}
# case: {"expr": "constant", "inputs": "torch.ones(2)"}
# case: {"expr": "text", "inputs": "torch.ones(2)"}
# case: {"expr": "nested", "inputs": "torch.ones(2)"}
# case: {"expr": "numbers", "inputs": "torch.ones(2)"}
# case: {"expr": "same_twice", "inputs": "torch.ones(2)"}
# case: {"expr": "one_element", "inputs": "torch.ones(2)"}
# case: {"expr": "slices", "inputs": "torch.ones(2)"}
# case: {"expr": "identity", "inputs": "torch.ones(2)"}
# case: {"expr": "integer_keys", "inputs": "torch.ones(2)"}

import torch


def nothing(x):
    x.relu()


def constant(x):
    return 3.0


def text(x):
    return {"name": "a text", "x": x}


def nested(x):
    y = x + 1
    return [x, (y, {"deep": [y, {"er": (x,)}]})], {}


def numbers(x):
    return 1, 2.5, True, None, 1e-7, 1e20, float("inf"), -0.0, 2j


def same_twice(x):
    y = x.neg()
    return y, y, x


def one_element(x):
    return (x,)


def slices(x):
    return x[slice(0, None)], slice(x[0], None, 2)


def identity(x):
    return x


def integer_keys(x):
    return {0: x, (1, 2): x + 1, None: x + 2, 1.5: [x]}
