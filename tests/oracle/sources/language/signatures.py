# SPDX-License-Identifier: GPL-3.0-or-later
# Defaults, keyword-only, positional-only, stars, in every mixture.
# case: {"expr": "defaults", "inputs": "torch.ones(2)"}
# case: {"expr": "keyword_only", "inputs": "torch.ones(2), 3, torch.ones(2)"}
# case: {"expr": "positional_only", "inputs": "torch.ones(2), torch.ones(2)"}
# case: {"expr": "stars", "inputs": "torch.ones(2), torch.ones(2), torch.ones(2)"}
# case: {"expr": "everything", "fails": "code_error"}
# case: {"expr": "only_keywords"}
# case: {"expr": "kwargs_used"}
# case: {"expr": "reserved_names", "inputs": "torch.ones(2), torch.ones(2), 1"}
# case: {"expr": "no_arguments", "inputs": ""}

import torch


def defaults(x, n=2, f=0.5, s="sum", b=True, none=None, t=(1, 2), e=...):
    return x * n + f


def keyword_only(x, *, alpha, beta=torch.float32):
    return x * alpha


def positional_only(x, /, y):
    return torch.sub(x, y)


def stars(first, *rest):
    return first + rest[0] * rest[1]


def everything(a, b=1, *args, k, **kwargs):
    return a + b + args[0] + k + kwargs["z"]


def only_keywords(**kwargs):
    return kwargs["x"] + kwargs["y"]


def kwargs_used(x, **options):
    y = x.relu()
    return y


def reserved_names(list, input, len):
    max = list + input
    return max * len


def no_arguments():
    return torch.nn.functional.relu(torch.ones(2))
