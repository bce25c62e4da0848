# SPDX-License-Identifier: GPL-3.0-or-later
# A real tensor, a parameter, a list or a text on the left of a traced value, for every operator.
# case: {"expr": "tensors", "inputs": "torch.tensor([3.0, 2.0])"}
# case: {"expr": "integers", "inputs": "torch.tensor([3, 2])"}
# case: {"expr": "compared", "inputs": "torch.tensor([3.0, 2.0])"}
# case: {"expr": "in_place", "inputs": "torch.tensor([3.0, 2.0])"}
# case: {"expr": "in_place_integers", "inputs": "torch.tensor([3, 2])"}
# case: {"expr": "methods_of_tensors", "inputs": "torch.tensor([3.0, 2.0])"}
# case: {"expr": "sequences"}
# case: {"expr": "Params()", "inputs": "torch.tensor([3.0, 2.0])"}

import torch
from torch import nn

A = torch.tensor([4.0, 5.0])
I = torch.tensor([4, 5])


def tensors(x):
    return A + x, A - x, A * x, A / x, A // x, A % x, A**x, A @ x


def integers(x):
    return I & x, I | x, I ^ x, I << x, I >> x, divmod(7, 2)


def compared(x):
    return A < x, A <= x, A > x, A >= x, A == x, A != x


def in_place(x):
    t = torch.ones(2)
    t += x
    u = torch.ones(2)
    u -= x
    v = torch.ones(2)
    v *= x
    w = torch.ones(2)
    w /= x
    y = torch.ones(2)
    y //= x
    z = torch.ones(2)
    z %= x
    p = torch.ones(2)
    p **= x
    return t, u, v, w, y, z, p


def in_place_integers(x):
    t = torch.tensor([1, 2])
    t &= x
    u = torch.tensor([1, 2])
    u |= x
    v = torch.tensor([1, 2])
    v ^= x
    w = torch.tensor([1, 2])
    w <<= x
    y = torch.tensor([1, 2])
    y >>= x
    return t, u, v, w, y


def methods_of_tensors(x):
    a = A.add(x, alpha=2)
    b = A.clone().copy_(x)
    c = A.where(A > 0, x)
    d = A.new_tensor([1.0]) * x
    e = A.mul(other=x)
    f = A.view(2).expand_as(x)
    g = A.to(x)
    h = A.type_as(x) + torch.maximum(A, x)
    return a, b, c, d, e, f[0], g, h, A.dot(x)


def sequences(x):
    a = "ab" * x
    b = [1, 2] * x
    c = (1,) + x
    d = [x] + [x * 2]
    e = x * [1, 2]
    f = "%s" % x
    return a, b, c, d, e, f, x + "text", x % 2


class Params(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.list = nn.ParameterList([torch.ones(2)])
        self.register_buffer("b", torch.ones(2))

    def forward(self, x):
        y = self.w + x
        y = self.w @ y + self.b @ x
        z = self.list[0] - x
        z = A * self.w + self.w * A
        return y + z, self.b + self.w, self.w + self.b, 2 * self.w, -self.w, self.b.neg() * self.w
