# SPDX-License-Identifier: GPL-3.0-or-later
# Lists, dicts and generators of traced values.
# case: {"expr": "forward", "inputs": "torch.arange(4.0)"}

import torch


def forward(x):
    powers = [x**i for i in range(4) if i != 2]
    named = {f"p{i}": p for i, p in enumerate(powers)}
    pairs = [(a, b) for a in powers[:2] for b in powers[1:] if a is not b]
    lazy = (p * 2 for p in powers)
    total = sum(lazy)
    odd = {i for i in (1, 1, 3)}
    matrix = [[x[i] * x[j] for j in range(2)] for i in range(2)]
    flat = [v for row in matrix for v in row]
    nested = torch.stack([torch.stack(row) for row in matrix])
    largest = max(odd)
    return total * largest, named, [a + b for a, b in pairs], flat, nested, sum([x, x], start=x)
