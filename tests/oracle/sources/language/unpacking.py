# SPDX-License-Identifier: GPL-3.0-or-later
# Tuples, lists and traced values taken apart in every place where that is possible.
# case: {"expr": "forward", "inputs": "torch.arange(6.0).view(3, 2)"}
# case: {"expr": "swap", "inputs": "torch.ones(1), torch.zeros(1)"}
# case: {"expr": "stars_of_lists", "inputs": "torch.ones(2)"}

import torch


def forward(x):
    a, b, c = x
    (d, e), f = a, b
    [g, h] = x.chunk(2, 0)[0:2]
    (i,) = x[:1]
    first, (second, third) = x.split(1)[0], (b, c)
    values, indices = x.max(dim=0)
    for p, (q, r) in [(a, (b, c)), (c, (b, a))]:
        first = first + p * q - r
    return a, d, e, f, g, h, i, first, second, third, values, indices


def swap(x, y):
    x, y = y, x
    z = w = x + y
    z, w = w, z
    return x, y, z, w


def stars_of_lists(x):
    parts = [x, x + 1, x + 2]
    head, *tail = parts
    *init, last = parts

    def total(*xs, **named):
        result = named.pop("start")
        for item in xs:
            result = result + item
        return result

    return total(*parts, start=head), total(*tail, *init, **{"start": last}), [*parts, *tail], {**{"a": x}, "b": last}
