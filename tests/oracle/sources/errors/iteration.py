# SPDX-License-Identifier: GPL-3.0-or-later
# Going over a traced value.
# case: {"expr": "for_loop", "fails": "error"}
# case: {"expr": "star_argument", "fails": "error"}
# case: {"expr": "double_star", "fails": "error"}
# case: {"expr": "star_unpack", "fails": "error"}
# case: {"expr": "star_list", "fails": "error"}
# case: {"expr": "enumerated", "fails": "error"}
# case: {"expr": "zipped", "fails": "error"}
# case: {"expr": "listed", "fails": "error"}
# case: {"expr": "sorted_values", "fails": "error"}
# case: {"expr": "in_value", "fails": "error"}
# case: {"expr": "varargs", "fails": "error"}
# case: {"expr": "kwargs", "fails": "error"}
# case: {"expr": "items", "fails": "error"}
# case: {"expr": "generator", "fails": "error"}
# case: {"expr": "dictionary", "fails": "error"}
# case: {"expr": "extended", "fails": "error"}
# case: {"expr": "joined", "fails": "error"}

import torch


def for_loop(xs):
    total = 0
    for x in xs:
        total = total + x
    return total


def star_argument(x):
    return torch.zeros(*x.shape)


def double_star(options):
    return torch.full(size=(2,), **options)


def star_unpack(x):
    first, *rest = x
    return first


def star_list(x):
    return [*x, 1]


def enumerated(x):
    return [i * v for i, v in enumerate(x)]


def zipped(x, y):
    return [a + b for a, b in zip(x, y)]


def listed(x):
    return list(x)


def sorted_values(x):
    return sorted(x)


def in_value(x):
    return 3 in x


def varargs(*xs):
    return torch.cat([x for x in xs])


def kwargs(**named):
    return sum(v for v in named.values())


def items(table):
    out = 0
    for key, value in table.items():
        out = out + value
    return out


def generator(x):
    return sum(v for v in x)


def dictionary(x):
    return dict(x)


def extended(x):
    out = []
    out.extend(x)
    return out


def joined(x):
    return tuple(x) + (1,)
