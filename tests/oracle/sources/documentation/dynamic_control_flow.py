# SPDX-License-Identifier: GPL-3.0-or-later
# The branch on a sum, and the flag that concrete_args decides.
# case: {"expr": "on_data", "fails": "error"}
# case: {"expr": "on_flag", "fails": "error"}
# case: {"expr": "on_flag", "concrete": {"flag": "True"}, "inputs": "torch.rand(2), True"}
# case: {"expr": "on_flag", "concrete": {"flag": "False"}, "inputs": "torch.rand(2), False"}
# case: {"expr": "Loop()", "fails": "error"}

import torch


def on_data(x):
    if x.sum() > 0:
        return torch.relu(x)
    else:
        return torch.neg(x)


def on_flag(x, flag):
    if flag:
        return x
    else:
        return x * 2


class Loop(torch.nn.Module):
    """Repeats as often as an input says."""

    def forward(self, x, itr):
        for _ in range(itr):
            x = x * 2
        return x
