# SPDX-License-Identifier: GPL-3.0-or-later
# Branches and loops on data.
# case: {"expr": "if_value", "fails": "error"}
# case: {"expr": "if_not", "fails": "error"}
# case: {"expr": "while_value", "fails": "error"}
# case: {"expr": "conditional", "fails": "error"}
# case: {"expr": "and_or", "fails": "error"}
# case: {"expr": "assertion", "fails": "error"}
# case: {"expr": "maximum", "fails": "error"}
# case: {"expr": "chained", "fails": "error"}
# case: {"expr": "comprehension", "fails": "error"}
# case: {"expr": "membership", "fails": "error"}
# case: {"expr": "boolean", "fails": "error"}
# case: {"expr": "any_of", "fails": "error"}
# case: {"expr": "match_value", "fails": "error"}

def if_value(x):
    if x.sum() > 0:
        return x
    return -x


def if_not(x):
    return 1 if not x else 2


def while_value(x):
    while x.norm() > 1:
        x = x / 2
    return x


def conditional(x):
    return x if x.mean() < 0 else x + 1


def and_or(x, y):
    z = x + y
    return x > 0 and z


def assertion(x):
    assert x.shape[0] == 4, "four rows"
    return x


def maximum(x, y):
    return max(x, y)


def chained(x):
    return 0 < x < 1


def comprehension(x):
    return [i for i in range(3) if x[i] > 0]


def membership(x):
    return x.dtype in [1, 2]


def boolean(x):
    return bool(x.any())


def any_of(x):
    return any([x > 0, x < 0])


def match_value(x):
    match x.dim():
        case 2:
            return x
        case _:
            return x.flatten(1)
