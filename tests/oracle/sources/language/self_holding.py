# SPDX-License-Identifier: GPL-3.0-or-later
# Lists, dicts and modules that hold themselves, beside traced values.
# case: {"expr": "copied", "inputs": "torch.ones(2)"}
# case: {"expr": "shown", "inputs": "torch.ones(2)"}
# case: {"expr": "compared", "inputs": "torch.ones(2)"}
# case: {"expr": "passed", "inputs": "torch.ones(2)"}
# case: {"expr": "Net()", "inputs": "torch.ones(2)"}

import copy

import torch


def cycle(*items):
    a = list(items)
    a.append(a)
    return a


def copied(x):
    a = copy.deepcopy(cycle(1))
    d = {}
    d["d"] = [d]
    e = copy.deepcopy(d)
    return x + len(a) + (a[1] is a) + (e["d"][0] is e), len(copy.copy(cycle(x)))


def shown(x):
    d = {"k": 1}
    d["d"] = d
    return x, repr(cycle(1)), str(d), f"{cycle()}", "%r" % ([d],), len(repr(cycle(x)))


def compared(x):
    a, b = cycle(1), cycle(1)
    try:
        same = a == b
    except RecursionError:
        same = "deep"
    return x, same, a == a, a in [a], a.index(a), isinstance(a, list), len(a), sorted([[2], [1]]), bool(a)


def passed(x):
    a = cycle(x)

    def first(items, *, rest=None):
        return items[0] + (rest is items)

    return first(a, rest=a) + first(a[1][1]), list(map(len, [a])), max(a, key=lambda item: item is a) is a


class Config(dict):
    pass


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.names = cycle("a")
        self.config = Config(size=3)
        self.config["me"] = self.config
        self.table = {"k": 2}
        self.table["table"] = self.table

    def forward(self, x):
        return x * self.config["me"]["size"] + self.table["table"]["k"] + len(self.names)
