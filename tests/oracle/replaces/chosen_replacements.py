# SPDX-License-Identifier: GPL-3.0-or-later
"""A replacement made for each match."""

import torch


def model(x):
    return torch.pow(x, 2) + torch.pow(x, 3) + torch.pow(torch.neg(x), 2)


def pattern(x, n):
    return torch.pow(x, n)


def square(x, n):
    return torch.mul(x, x)


def general(x, n):
    return torch.exp(torch.mul(torch.log(x), n))


CHOICE = {"placeholder": 1, "is": 2, "then": square, "else": general}
