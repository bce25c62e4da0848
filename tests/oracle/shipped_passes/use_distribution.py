# SPDX-License-Identifier: GPL-3.0-or-later
# passes: ../../../plugins/passes/distribution.py
# case: two_stages Net() split_in_stages
# case: three_stages Net() split_in_stages --stages 3
# case: stages_without_weights plain split_in_stages
# case: no_stages Net() split_in_stages --stages 0
# case: keep_every_fourth Net() mark_checkpoints
# case: keep_every_second Net() mark_checkpoints --every 2

import torch
import torch.nn as nn

INPUTS = {"Net()": (torch.linspace(-1, 1, 12).reshape(2, 6),), "plain": (torch.ones(2), torch.ones(2))}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4))
        self.scale = nn.Parameter(torch.linspace(0, 1, 4))

    def forward(self, x):
        return self.body(x) * self.scale + x.sum()


def plain(x, y):
    return torch.relu(x) + y
