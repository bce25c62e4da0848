# SPDX-License-Identifier: GPL-3.0-or-later
# concrete_args: numbers, texts, None, booleans, by name and by position.
# case: {"expr": "branch", "concrete": {"flag": "True"}, "inputs": "torch.ones(2), True"}
# case: {"expr": "branch", "concrete": {"flag": "False"}, "inputs": "torch.ones(2), False"}
# case: {"expr": "several", "concrete": {"n": "3", "mode": "'mean'", "eps": "1e-6", "mask": "None"}, "inputs": "torch.ones(2), 3, 'mean', 1e-6, None"}
# case: {"expr": "several", "concrete": ["PH", "2", "'sum'", "0.5", "PH"], "inputs": "torch.ones(2), 2, 'sum', 0.5, torch.ones(2)"}
# case: {"expr": "Net()", "concrete": {"return_hidden": "True"}, "inputs": "torch.ones(2, 3), True"}
# case: {"expr": "Net()", "concrete": {"x": "PH"}, "inputs": "torch.ones(2, 3)"}
# case: {"expr": "objects", "concrete": {"dtype": "torch.float64"}, "inputs": "torch.ones(2), torch.float64"}
# case: {"expr": "keyword", "concrete": {"k": "2"}}
# case: {"expr": "Stars()", "concrete": ["PH", "PH"], "inputs": "torch.ones(2), torch.ones(2)"}

import torch
from torch import nn


def branch(x, flag):
    if flag:
        return x * 2
    return x


def several(x, n=1, mode="sum", eps=1e-5, mask=None):
    for _ in range(n):
        x = x + eps
    if mask is not None:
        x = x * mask
    return getattr(x, mode)()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x, return_hidden: bool = False):
        h = self.fc(x)
        return (h.relu(), h) if return_hidden is True else h.relu()


def objects(x, dtype):
    return x.to(dtype)


def keyword(x, *, k):
    return x * k


class Stars(nn.Module):
    def forward(self, *xs):
        return xs[0] + xs[1]
