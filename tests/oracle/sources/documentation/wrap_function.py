# SPDX-License-Identifier: GPL-3.0-or-later
# A function of one's own kept whole, by name and as a decorator.
# case: {"expr": "fn_to_be_traced", "inputs": "torch.rand(2), torch.rand(2)"}
# case: {"expr": "decorated", "inputs": "torch.rand(2), torch.rand(2)"}

import torch
import torch.fx


def my_custom_function(x, y):
    return x * x + y * y


torch.fx.wrap("my_custom_function")


@torch.fx.wrap
def my_other_function(x, y):
    return x - y if x.sum() > y.sum() else y - x


def fn_to_be_traced(x, y):
    return my_custom_function(x, y)


def decorated(x, y):
    return my_other_function(x, y=y)
