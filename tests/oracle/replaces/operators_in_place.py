# SPDX-License-Identifier: GPL-3.0-or-later
"""operator.iadd is not operator.add."""

import operator

import torch

model = torch.fx.Graph()
x, y = model.placeholder("x"), model.placeholder("y")
first = model.call_function(operator.iadd, (x, y))
second = model.call_function(operator.add, (first, y))
model.output(model.call_function(operator.iadd, (second, 1)))


def pattern(x, y):
    return x + y


def replacement(x, y):
    return x - y
