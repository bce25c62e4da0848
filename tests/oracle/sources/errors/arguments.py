# SPDX-License-Identifier: GPL-3.0-or-later
# Values that cannot be arguments of a node.
# case: {"expr": "object_argument", "fails": "error"}
# case: {"expr": "function_argument", "fails": "error", "ours": "NotImplementedError: argument of type: <class 'builtin_function_or_method'>"}
# case: {"expr": "set_argument", "fails": "error"}
# case: {"expr": "bytes_argument", "fails": "error"}
# case: {"expr": "class_argument", "fails": "error"}
# case: {"expr": "returned_object", "fails": "error"}
# case: {"expr": "returned_set", "fails": "error"}
# case: {"expr": "returned_module", "fails": "error"}
# case: {"expr": "foreign_parameter", "fails": "error"}
# case: {"expr": "returned_generator", "fails": "error"}
# case: {"expr": "lambda_argument", "fails": "error"}
# case: {"expr": "default_object", "fails": "error"}
# case: {"expr": "iterator_argument", "fails": "error"}

import torch
from torch import nn

torch.fx.wrap("take")


def take(*args):
    return args[0]


class Thing:
    pass


def object_argument(x):
    return take(x, Thing())


def function_argument(x):
    return take(x, take)


def set_argument(x):
    return take(x, {1, 2})


def bytes_argument(x):
    return take(x, b"bytes")


def class_argument(x):
    return take(x, Thing)


def returned_object(x):
    return Thing()


def returned_set(x):
    return {x.relu()}


def returned_module(x):
    return nn.Linear(2, 2)


def foreign_parameter(x):
    return x + nn.Parameter(torch.ones(2))


def returned_generator(x):
    return (x * i for i in range(3))


def lambda_argument(x):
    return take(x, lambda y: y)


def default_object(x, thing=Thing()):
    return x


def iterator_argument(x):
    return take(x, iter([1]))
