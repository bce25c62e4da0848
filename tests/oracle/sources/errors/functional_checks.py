# SPDX-License-Identifier: GPL-3.0-or-later
# Checks on shapes inside of Python functions of torch, which see no numbers.
# case: {"expr": "expand_check", "fails": "error"}
# case: {"expr": "multi_dim", "fails": "error"}
# case: {"expr": "training_flag", "fails": "error"}
# case: {"expr": "wrong_mode", "fails": "error"}
# case: {"expr": "missing_argument", "fails": "error"}
# case: {"expr": "tensor_lists", "fails": "error"}

import torch
import torch.nn.functional as F


def expand_check(x):
    return F.dropout(torch.ones(3), p=x)


def multi_dim(x):
    n = x.dim()
    return x.permute(list(range(n)))


def training_flag(x, training):
    return F.relu(x) if training else x


def wrong_mode(x):
    return F.interpolate(torch.ones(1, 1, 2, 2), scale_factor=2, mode="wrong") + x


def missing_argument(x):
    return F.conv2d(x) + torch.cat()


def tensor_lists(x):
    return torch.stack([torch.ones(2), torch.ones(3)]) + x
