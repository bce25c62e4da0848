# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of the module torch itself that are Python: on symbolic numbers, which are plain numbers here, and tests.
# All other names of torch are core/torch's tables.
import math

import torch


def _assert(condition, message):
    if not condition:
        raise AssertionError(message)


def is_tensor(obj, /):
    return isinstance(obj, torch.Tensor)


def sym_not(a):
    return not a


def sym_float(a):
    return float(a)


def sym_int(a):
    return int(a)


def _checked(*numbers):
    for number in numbers:
        if not isinstance(number, (int, float)):
            raise AssertionError(f'expected an int or a float, got {type(number)}')
    return any(isinstance(number, float) for number in numbers)


def sym_max(a, b):
    return float(max(a, b)) if _checked(a, b) else max(a, b)


def sym_min(a, b):
    return float(min(a, b)) if _checked(a, b) else min(a, b)


def sym_sum(*args):
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        return torch.sym_sum(*args[0])
    return sum(args)


def sym_ite(b, t, f):
    return t if b else f


def _sym_sqrt(a):
    return math.sqrt(a)


sym_sqrt = _sym_sqrt
