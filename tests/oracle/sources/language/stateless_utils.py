# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers of torch that are Python: functional calls, clones of state, einsum-like helpers of their own.
# case: {"expr": "forward", "inputs": "torch.randn(2, 3, 4)"}

import torch


def rearrange(x, spec, **sizes):
    """A small part of what einops does."""
    left, right = (side.split() for side in spec.split("->"))
    order = [left.index(axis) for axis in right]
    return x.permute(order)


def exists(v):
    return v is not None


def default(v, d):
    return v if exists(v) else d() if callable(d) else d


def cast_tuple(v, length=1):
    return v if isinstance(v, tuple) else (v,) * length


def forward(x, scale=None):
    y = rearrange(x, "b c t -> t b c")
    z = rearrange(y, "t b c -> b c t", b=2)
    k, s = cast_tuple(3, 2)
    return z * default(None, lambda: 0.5) + k * s, default(2, 3)
