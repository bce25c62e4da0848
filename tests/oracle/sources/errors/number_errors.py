# SPDX-License-Identifier: GPL-3.0-or-later
# A traced value where Python wants a number or a length.
# case: {"expr": "length", "fails": "error"}
# case: {"expr": "to_int", "fails": "error"}
# case: {"expr": "to_float", "fails": "error"}
# case: {"expr": "to_complex", "fails": "error"}
# case: {"expr": "range_of", "fails": "error"}
# case: {"expr": "index_of_list", "fails": "error"}
# case: {"expr": "slice_of_list", "fails": "error"}
# case: {"expr": "slice_of_tensor", "fails": "error"}
# case: {"expr": "rounded", "fails": "error"}
# case: {"expr": "divided", "fails": "error"}
# case: {"expr": "repeated"}
# case: {"expr": "two_sizes", "fails": "error"}
# case: {"expr": "formatted", "fails": "error"}
# case: {"expr": "made_tensor", "fails": "error"}
# case: {"expr": "chr_of", "fails": "error"}
# case: {"expr": "hexadecimal", "fails": "error"}
# case: {"expr": "sum_of", "fails": "error"}
# case: {"expr": "powered"}

import torch

TABLE = torch.arange(5)


def length(x):
    return x * len(x)


def to_int(x):
    return int(x.shape[0] / 2)


def to_float(x):
    return float(x.sum())


def to_complex(x):
    return complex(x)


def range_of(x):
    for i in range(x.shape[0]):
        x = x + i
    return x


def index_of_list(x):
    return ["a", "b"][x]


def slice_of_list(x):
    return [1, 2, 3][: x.size(0)]


def slice_of_tensor(x):
    return TABLE[: x.size(1)] + x


def rounded(x):
    return round(x)


def divided(x):
    return divmod(x, 2)


def repeated(x):
    return "ab" * x + [0] * x


def two_sizes(x):
    return torch.ones(x.size(0), x.size(0))


def formatted(x):
    return f"{x:.2f}"


def made_tensor(x):
    return torch.tensor([x, x])


def chr_of(x):
    return chr(x)


def hexadecimal(x):
    return hex(x)


def sum_of(x):
    return sum(x)


def powered(x):
    return pow(x, 2, 5)
