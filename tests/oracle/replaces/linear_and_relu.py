# SPDX-License-Identifier: GPL-3.0-or-later
"""The functional linear, which is recorded under the name of its C function."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(2, 2))
        self.b = torch.nn.Parameter(torch.ones(2))

    def forward(self, x):
        x = torch.nn.functional.relu(torch.nn.functional.linear(x, self.w, self.b))
        return torch.nn.functional.relu(torch.nn.functional.linear(x, self.w, self.b), inplace=True)


model = Model()


def pattern(x, w, b):
    return torch.nn.functional.relu(torch.nn.functional.linear(x, w, b))


def replacement(x, w, b):
    return torch.addmm(b, x, w.t()).clamp_min(0)
