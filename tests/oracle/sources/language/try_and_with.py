# SPDX-License-Identifier: GPL-3.0-or-later
# Exceptions that are caught, context managers and no_grad, which leave no trace.
# case: {"expr": "Net()", "inputs": "torch.randn(3)"}
# case: {"expr": "forward", "inputs": "torch.randn(3)"}

import contextlib
import warnings

import torch
from torch import nn


class scale_by:
    def __init__(self, factor):
        self.factor = factor

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return kind is KeyError

    def apply(self, x):
        return x * self.factor


@contextlib.contextmanager
def offset(n):
    yield lambda x: x + n


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        with torch.no_grad():
            y = self.fc(x)
        with scale_by(3) as s, offset(2) as add:
            y = add(s.apply(y))
            raise KeyError("swallowed")
        with torch.autograd.profiler.record_function("part") if False else contextlib.nullcontext():
            y = y * 2
        return y


def forward(x):
    result = []
    try:
        {}["missing"]
    except KeyError as e:
        result.append(str(e))
        x = x + 1
    else:
        x = x + 100
    finally:
        x = x * 2
    try:
        if x.sum() > 0:
            x = x - 1
    except torch.fx.proxy.TraceError:
        x = x.relu()
    try:
        for row in x:
            result.append(row)
    except ValueError as e:
        result.append(type(e).__name__)
    try:
        x.shape[0] + [][0]
    except (KeyError, IndexError):
        result.append("index")
    warnings.warn("only a warning")
    return x, result
