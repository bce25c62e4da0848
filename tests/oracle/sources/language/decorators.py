# SPDX-License-Identifier: GPL-3.0-or-later
# Decorators with and without arguments, kept names, counters.
# case: {"expr": "forward", "inputs": "torch.ones(3)"}
# case: {"expr": "Net()", "inputs": "torch.ones(3)"}
# case: {"expr": "wrapped", "inputs": "torch.ones(3)"}

import functools

import torch
from torch import nn


def scaled(factor=1.0):
    def decorator(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            return fn(*args, **kwargs) * factor

        return wrapper

    return decorator


def twice(fn):
    def again(x):
        return fn(fn(x))

    return again


@twice
@scaled(0.5)
def body(x):
    """A doc string."""
    return x + 1


def forward(x):
    return body(x), body.__name__, len(scaled.__name__)


@functools.wraps(forward)
def wrapped(y):
    return y * 2


class Net(nn.Module):
    @scaled(factor=3)
    def helper(self, x):
        return x.abs()

    @functools.lru_cache(maxsize=None)
    def sizes(self, n):
        return tuple(range(n))

    def forward(self, x):
        return self.helper(x) + sum(self.sizes(3))
