# SPDX-License-Identifier: GPL-3.0-or-later
# Every operator with a traced value left, right and on both sides.
# case: {"expr": "binary", "inputs": "torch.full((2, 2), 3.0), torch.full((2, 2), 2.0)"}
# case: {"expr": "integers", "inputs": "torch.tensor([5, 6]), torch.tensor([1, 3])"}
# case: {"expr": "reflected", "inputs": "torch.full((2,), 3.0)"}
# case: {"expr": "reflected_integers", "inputs": "torch.tensor([1, 2])"}
# case: {"expr": "unary", "inputs": "torch.tensor([1, -2])"}
# case: {"expr": "comparisons", "inputs": "torch.tensor([1.0, 2.0]), torch.tensor([2.0, 1.0])"}
# case: {"expr": "augmented", "inputs": "torch.ones(2, 2), torch.full((2, 2), 3.0)"}
# case: {"expr": "augmented_integers", "inputs": "torch.tensor([6, 7]), torch.tensor([1, 2])"}
# case: {"expr": "from_module", "inputs": "torch.tensor([6.0, 7.0]), torch.tensor([1.0, 2.0])"}

import operator
from operator import add, itemgetter

import torch


def binary(a, b):
    c = a + b - a * b / a
    d = a // b + a % b
    return c @ d, a**b


def integers(a, b):
    return a << b, a >> b, a & b, a | b, a ^ b, a // 2


def reflected(x):
    return 1 + x, 2 - x, 3 * x, 4 / x, 5 // x, 6 % x, 2**x, 1.5 - x


def reflected_integers(x):
    return 1 << x, 64 >> x, 7 & x, 8 | x, 9 ^ x


def unary(x):
    return -x, +x, ~x, abs(x), -(-x)


def comparisons(a, b):
    return a == b, a != b, a < b, a <= b, a > b, a >= b, 1 < a, 2 >= b, None == a


def augmented(a, b):
    a += b
    a -= 1
    a *= b
    a /= 2
    a **= 2
    a //= 3
    a %= b
    a @= b
    return a


def augmented_integers(a, b):
    a <<= b
    a >>= 1
    a &= 7
    a |= b
    a ^= 3
    return a


def from_module(a, b):
    c = add(a, b)
    c = operator.mul(c, 2)
    c = operator.iadd(c, a)
    d = operator.neg(c)
    e = itemgetter(0)(d)
    return operator.getitem(c, 1), e, operator.truediv(d, b), operator.matmul(c, d)
