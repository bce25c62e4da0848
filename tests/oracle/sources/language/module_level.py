# SPDX-License-Identifier: GPL-3.0-or-later
# Work at module level: loops, conditions, main guard, registries by decorator, version checks.
# case: {"expr": "create('small_net')", "inputs": "torch.randn(2, 3)"}
# case: {"expr": "MODELS[1]()", "inputs": "torch.randn(2, 3)"}

import sys
import typing as t

import torch
import torch.nn as nn

__all__ = ["create"]
REGISTRY: t.Dict[str, t.Callable] = {}
MODELS = []

if sys.version_info >= (3, 8):
    from typing import Literal
else:
    Literal = None

if t.TYPE_CHECKING:
    from nowhere import Nothing

try:
    import a_package_that_does_not_exist
except ImportError:
    a_package_that_does_not_exist = None


def register(fn):
    REGISTRY[fn.__name__] = fn
    return fn


@register
def small_net(hidden=4):
    return nn.Sequential(nn.Linear(3, hidden), nn.ReLU(), nn.Linear(hidden, 1))


for _n in (2, 5):
    MODELS.append(lambda n=_n: nn.Sequential(nn.Linear(3, n), nn.Tanh()))


def create(name: 'Literal["small_net"]', **kw):
    if name not in REGISTRY:
        raise KeyError(f"unknown model {name}")
    return REGISTRY[name](**kw)


if __name__ == "__main__":
    print(create("small_net"))
