# SPDX-License-Identifier: GPL-3.0-or-later
# Assignment expressions, conditional expressions and boolean chains on static values.
# case: {"expr": "forward", "inputs": "torch.randn(4)"}
# case: {"expr": "forward", "concrete": {"k": "2"}, "inputs": "torch.randn(4), 2"}

import torch


def forward(x, k=3):
    if (n := len("abc")) > 2:
        x = x * n
    y = [z := x + 1, z * 2]
    factor = None or 0 or 2.5
    last = (y and y[-1]) if y else x
    flag = not [] and not {} and (1, 2) != (2, 1)
    while (n := n - 1) > 0:
        last = last + n
    return last * factor if flag else x, z
