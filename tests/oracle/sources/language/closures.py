# SPDX-License-Identifier: GPL-3.0-or-later
# Functions made by functions, defaults bound early, variables of outer scopes changed.
# case: {"expr": "forward", "inputs": "torch.ones(3)"}
# case: {"expr": "make(3, torch.tanh)", "inputs": "torch.ones(3)"}
# case: {"expr": "compose(torch.relu, make(2, torch.sin), double)", "inputs": "torch.ones(3)"}

import torch

DEPTH = 2
double = lambda t: t * 2
counter = 0


def make(n, fn):
    weights = [0.5 * i for i in range(n)]

    def inner(x):
        for w in weights:
            x = fn(x) + w
        return x

    return inner


def compose(*fns):
    def composed(x):
        for fn in fns:
            x = fn(x)
        return x

    return composed


def forward(x):
    global counter
    calls = 0

    def add(y, amount=DEPTH):
        nonlocal calls
        calls += 1
        return y + amount * calls

    fns = [lambda t, i=i: t * i for i in range(1, 3)]
    late = [lambda t: t - i for i in range(3)]
    for fn in fns + late:
        x = fn(add(x))
    counter += calls
    return x, calls, counter * 0
