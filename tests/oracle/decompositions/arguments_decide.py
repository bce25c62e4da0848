# SPDX-License-Identifier: GPL-3.0-or-later
"""Constants come as they are, so that a rule may look at them."""

import torch
import torch.nn.functional as F


def model(x):
    a = torch.sum(x, dim=1)
    b = torch.sum(x, 1, True)
    c = torch.sum(x)
    d = torch.sum(x, dim=[0, 1], dtype=torch.float64)
    return a, b, c, d, torch.clamp(x, float("-inf"), 3.5), torch.full_like(x, 2j, device=torch.device("cpu"))


def sum_rule(x, dim=None, keepdim=False, dtype=None):
    if dtype is not None:
        x = x.to(dtype)
    if dim is None:
        return x.reshape(-1).sum(0)
    if isinstance(dim, int):
        dim = [dim]
    for d in sorted(dim, reverse=True):
        x = torch.mean(x, d, keepdim) * x.size(d)
    return x


def clamp(x, low, high):
    return torch.minimum(x, x.new_full((), high)) if low == float("-inf") else x


def full_like(x, value, device):
    return x * value + torch.zeros(1, device=device) if False else x.new_full(x.shape, value, device=device)


rules = {torch.sum: sum_rule, torch.clamp: clamp, torch.full_like: full_like}
